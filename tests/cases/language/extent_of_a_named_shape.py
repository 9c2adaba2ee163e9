# expect: reject bad-annotation line=9
# mentions: an extent is at most 2^40
import pypto.language as pl

SHAPE = (1 << 61, 64)


@pl.jit
def copy(x: pl.Tensor[SHAPE, pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :] = x[0:64, :]
    return out
