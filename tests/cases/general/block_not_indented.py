# expect: reject syntax-error line=11
# arch: a3
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(self, x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
        for i in pl.range(0, 64, 16):
        t = pl.load(x, [16, 0], [16, 64])
        out = pl.store(t, [0, 0], out)
        return out
