# expect: ok
# The rows of the weight are further apart than one instruction can say: they come one by one.
import pypto.language as pl

WIDE = 65600


@pl.program
class Far:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 32], pl.FP16],
        w: pl.Tensor[[32, WIDE], pl.FP16],
        out: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        a = pl.load(x, [0, 0], [16, 32], target_memory=pl.Mem.Mat)
        for j in pl.range(0, 64, 32):
            b = pl.load(w, [0, j + 65536], [32, 32], target_memory=pl.Mem.Mat)
            out = pl.store(pl.matmul(a, b), [0, j], out)
        return out
