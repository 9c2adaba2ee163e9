# expect: reject syntax-error line=7
# arch: a3
# mentions: `:` is missing
import pypto.language as pl


def rows(n)
    return n * 16


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :] = pl.add(x, 1.0)
    return out
