# case: g10_rank5_fold
# expect: ok
# arch: a2a3
# blocked: y=[30, 8, 1, 16, 8]
# offsets: L22 y=[29, 1, 0, 0, 0]
# row: G10
import pypto.language as pl


@pl.program
class Case:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 16], pl.FP16],
        w: pl.Tensor[[32, 16], pl.FP16],
        y: pl.Out[pl.Tensor[[3, 5, 2, 16, 64], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[3, 5, 2, 16, 64], pl.FP32, pl.NZ]:
        a = pl.load(x, [0, 0], [16, 16], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [32, 16], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        y = pl.store(acc, [2, 4, 1, 0, 8], y)
        return y
