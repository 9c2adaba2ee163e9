# case: g05_column_minus_8
# expect: reject offset-sign line=25
# related-line=20
# arch: a2a3
# entry: StoreColumnMinus8.kern
# mentions: -8
# at: -8
# alt-kind: negative-offset, bounds
# row: G05
import pypto.language as pl


@pl.program
class StoreColumnMinus8:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[32, 64], pl.FP16],
        w: pl.Tensor[[16, 64], pl.FP16],
        y_nz: pl.Out[pl.Tensor[[32, 64], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[32, 64], pl.FP32, pl.NZ]:
        x_l1 = pl.load(x, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y_nz = pl.store(acc, [0, -8], y_nz)
        return y_nz
