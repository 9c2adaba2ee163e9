# case: g03_column_120
# expect: ok
# arch: a2a3
# offsets: L22 y=[0, 15, 0, 0, 0]
# sizes: L22 y=[1, 2, 5, 16, 8]
# row: G03
import pypto.language as pl


@pl.program
class Case:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[80, 32], pl.FP16],
        w: pl.Tensor[[16, 32], pl.FP16],
        y: pl.Out[pl.Tensor[[80, 136], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[80, 136], pl.FP32, pl.NZ]:
        a = pl.load(x, [0, 0], [80, 32], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [16, 32], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        y = pl.store(acc, [0, 120], y)
        return y
