# expect: reject bounds line=14
# arch: a3
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[40, 64], pl.FP32],
        out: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ):
        t = pl.load(x, [40, 0], [16, 64], clamp=True)
        out = pl.store(t, [0, 0], out)
        return out
