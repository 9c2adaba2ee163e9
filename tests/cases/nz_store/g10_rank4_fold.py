# case: g10_rank4_fold
# expect: ok
# arch: a2a3
# entry: StoreRank4Fold.kern
# blocked: y_nz=[6, 4, 1, 16, 8]
# strides: y_nz=[512, 128, 128, 8, 1]
# offsets: L26 y_nz=[5, 2, 0, 0, 0]
# sizes: L26 y_nz=[1, 2, 1, 16, 8]
# tile: L26 acc=[16, 16]
# row: G10
import pypto.language as pl


@pl.program
class StoreRank4Fold:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[16, 64], pl.FP16],
        y_nz: pl.Out[pl.Tensor[[2, 3, 16, 32], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[2, 3, 16, 32], pl.FP32, pl.NZ]:
        x_l1 = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y_nz = pl.store(acc, [1, 2, 0, 16], y_nz)
        return y_nz
