# case: g31_768_columns
# expect: ok
# arch: a2a3
# chunks: L21 y=[256, 256, 256]
# row: G31
import pypto.language as pl


@pl.program
class Case:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 32], pl.BF16],
        w: pl.Tensor[[768, 32], pl.BF16],
        y: pl.Out[pl.Tensor[[64, 768], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[64, 768], pl.FP32, pl.NZ]:
        a = pl.load(x, [0, 0], [64, 32], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [768, 32], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        y = pl.store(acc, [0, 0], y)
        return y
