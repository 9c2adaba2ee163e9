# expect: ok
# note: maximum, minimum and cmp with a number on the right become the tile operations that take a number
import pypto.language as pl


@pl.jit
def clipped(x: pl.Tensor[[16, 64], pl.FP32], out: pl.Out[pl.Tensor[[16, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        low = pl.maximum(x, 0.0)
        both = pl.minimum(low, 6.0)
        out[:, :] = pl.mul(both, 0.5)
    return out
