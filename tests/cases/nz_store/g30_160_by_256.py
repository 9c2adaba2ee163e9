# case: g30_160_by_256
# expect: ok
# arch: a2a3
# chunks: L21 y=[128, 128]
# row: G30
import pypto.language as pl


@pl.program
class Case:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[160, 64], pl.BF16],
        w: pl.Tensor[[256, 64], pl.BF16],
        y: pl.Out[pl.Tensor[[160, 256], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[160, 256], pl.FP32, pl.NZ]:
        a = pl.load(x, [0, 0], [160, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [256, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        y = pl.store(acc, [0, 0], y)
        return y
