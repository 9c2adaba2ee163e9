# case: g01_one_column_of_fractals
# expect: ok
# arch: a2a3
# entry: StoreOneColumnOfFractals.kern
# blocked: y_nz=[1, 2, 4, 16, 8]
# strides: y_nz=[1024, 512, 128, 8, 1]
# offsets: L26 y_nz=[0, 0, 0, 0, 0]
# sizes: L26 y_nz=[1, 2, 4, 16, 8]
# tile: L26 acc=[64, 16]
# row: G01
import pypto.language as pl


@pl.program
class StoreOneColumnOfFractals:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 64], pl.FP16],
        w: pl.Tensor[[16, 64], pl.FP16],
        y_nz: pl.Out[pl.Tensor[[64, 16], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[64, 16], pl.FP32, pl.NZ]:
        x_l1 = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y_nz = pl.store(acc, [0, 0], y_nz)
        return y_nz
