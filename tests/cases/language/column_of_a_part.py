# expect: ok
# entry: K.kern
# What is left of a live part is known where it and the window are constants.
import pypto.language as pl


@pl.program
class K:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self, x: pl.Tensor[[24, 20], pl.FP32], out: pl.Out[pl.Tensor[[24, 1], pl.FP32]]
    ) -> pl.Tensor[[24, 1], pl.FP32]:
        t = pl.load(x, [0, 0], [24, 24], valid_shape=[24, 20])
        c = pl.slice(t, [24, 1], [0, 17])
        out = pl.store(c, [0, 0], out)
        return out
