# case: a25_loop_carried_out
# expect: ok
# arch: a2a3
# entry: ColumnSweep.kern
# blocked: y_nz=[1, 12, 2, 16, 8]
# offsets: L26 y_nz=[0, floordiv(j, 8), 0, 0, 0]
# sizes: L26 y_nz=[1, 4, 2, 16, 8]
# offsets: L24 w=[0, 0, floordiv(j, 16), 0, 0]
# row: A25
import pypto.language as pl


@pl.program
class ColumnSweep:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[32, 64], pl.FP16],
        w: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
        y_nz: pl.Out[pl.Tensor[[32, 96], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[32, 96], pl.FP32, pl.NZ]:
        a = pl.load(x, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        for j in pl.range(0, 96, 32):
            b = pl.load(w, [j, 0], [32, 64], target_memory=pl.Mem.Mat)
            acc = pl.matmul(a, pl.tile.transpose_view(b))
            y_nz = pl.store(acc, [0, j], y_nz)
        return y_nz
