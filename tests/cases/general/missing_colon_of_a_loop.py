# expect: reject syntax-error line=10
# arch: a3
# mentions: `:` is missing
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        for i in pl.range(4)
            t = pl.load(x, [i * 16, 0], [16, 64])

            out = pl.store(t, [i * 16, 0], out)
    return out
