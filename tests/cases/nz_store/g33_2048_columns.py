# case: g33_2048_columns
# expect: ok
# arch: a2a3
# chunks: L21 y=[1024, 1024]
# row: G33
import pypto.language as pl


@pl.program
class Case:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[32, 16], pl.BF16],
        w: pl.Tensor[[2048, 16], pl.BF16],
        y: pl.Out[pl.Tensor[[32, 2048], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[32, 2048], pl.FP32, pl.NZ]:
        a = pl.load(x, [0, 0], [32, 16], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [2048, 16], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        y = pl.store(acc, [0, 0], y)
        return y
