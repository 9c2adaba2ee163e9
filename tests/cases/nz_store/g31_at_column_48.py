# case: g31_at_column_48
# expect: ok
# arch: a2a3
# chunks: L21 y=[256, 256, 128]
# row: G31
import pypto.language as pl


@pl.program
class Case:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 32], pl.FP16],
        w: pl.Tensor[[640, 32], pl.FP16],
        y: pl.Out[pl.Tensor[[64, 720], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[64, 720], pl.FP32, pl.NZ]:
        a = pl.load(x, [0, 0], [64, 32], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [640, 32], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        y = pl.store(acc, [0, 48], y)
        return y
