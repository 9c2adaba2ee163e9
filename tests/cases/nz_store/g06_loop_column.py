# case: g06_loop_column
# expect: ok
# arch: a2a3
# entry: StoreLoopColumn.kern
# blocked: y_nz=[1, 12, 2, 16, 8]
# strides: y_nz=[3072, 256, 128, 8, 1]
# offsets: L27 y_nz=[0, floordiv(nn, 8), 0, 0, 0]
# sizes: L27 y_nz=[1, 4, 2, 16, 8]
# tile: L27 acc=[32, 32]
# row: G06
import pypto.language as pl


@pl.program
class StoreLoopColumn:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[32, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16],
        y_nz: pl.Out[pl.Tensor[[32, 96], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[32, 96], pl.FP32, pl.NZ]:
        x_l1 = pl.load(x, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        for nn in pl.range(0, 96, 32):
            y_nz = pl.store(acc, [0, nn], y_nz)
        return y_nz
