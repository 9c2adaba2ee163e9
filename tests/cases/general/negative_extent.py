# case: negative_extent
# expect: reject shape-mismatch line=14
# arch: any
# entry: Negative.kern
# mentions: -16
# rule: an extent is not negative
import pypto.language as pl


@pl.program
class Negative:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(self, x: pl.Tensor[[64, 64], pl.FP16]):
        u = pl.load(x, [0, 0], [-16, 64], target_memory=pl.Mem.Mat)
