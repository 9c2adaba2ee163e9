# case: f27_gather_row
# expect: reject consumer line=21
# related-line=17
# arch: any
# entry: GathersRows.kern
# mentions: gather_row
# may-warn: not-supported-yet
# row: F27
import pypto.language as pl


@pl.program
class GathersRows:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        w: pl.Tensor[[256, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP16]],
    ) -> pl.Tensor[[16, 64], pl.FP16]:
        l1 = pl.create_tile([16, 64], pl.FP16, target_memory=pl.Mem.Mat)
        l1 = pl.gather_row(l1, w, [0, 0], [16, 0], [16, 64])
        return res
