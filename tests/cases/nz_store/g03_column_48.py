# case: g03_column_48
# expect: ok
# arch: a2a3
# entry: StoreColumn48.kern
# blocked: y_nz=[1, 8, 2, 16, 8]
# strides: y_nz=[2048, 256, 128, 8, 1]
# offsets: L27 y_nz=[0, 6, 0, 0, 0]
# sizes: L27 y_nz=[1, 2, 2, 16, 8]
# tile: L27 acc=[32, 16]
# note: an offset needs 8, a tile needs 16
# row: G03
import pypto.language as pl


@pl.program
class StoreColumn48:
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
        y_nz = pl.store(acc, [0, 48], y_nz)
        return y_nz
