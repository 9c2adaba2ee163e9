# case: reshape_changes_the_count
# expect: reject shape-mismatch line=21
# arch: any
# entry: ReshapeChangesTheCount.kern
# mentions: 64
# rule: a reshape to another number of elements
import pypto.language as pl


@pl.program
class ReshapeChangesTheCount:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64])
        b = pl.reshape(a, [32, 64])
        res = pl.store(a, [0, 0], res)
        return res
