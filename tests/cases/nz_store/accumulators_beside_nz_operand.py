# expect: ok
# arch: a3
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[32, 64], pl.FP32],
        y: pl.InOut[pl.Tensor[[64, 32], pl.FP32, pl.NZ]],
        out: pl.Out[pl.Tensor[[32, 32], pl.FP32]],
    ):
        a = pl.load(x, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        b = pl.load(y, [0, 0], [64, 32], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, b)
        out = pl.store(acc, [0, 0], out)
        c = pl.matmul(pl.tile.transpose_view(a), pl.load(x, [0, 0], [32, 32], target_memory=pl.Mem.Mat))
        y = pl.store(c, [0, 0], y)
        return out
