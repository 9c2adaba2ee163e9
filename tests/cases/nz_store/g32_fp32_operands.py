# case: g32_fp32_operands
# expect: ok
# arch: a2a3
# chunks: L21 y=[256, 256, 208]
# row: G32
import pypto.language as pl


@pl.program
class Case:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[48, 32], pl.FP32],
        w: pl.Tensor[[720, 32], pl.FP32],
        y: pl.Out[pl.Tensor[[48, 720], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[48, 720], pl.FP32, pl.NZ]:
        a = pl.load(x, [0, 0], [48, 32], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [720, 32], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        y = pl.store(acc, [0, 0], y)
        return y
