# expect: ok
# Columns of fewer rows than fill 32 bytes are not made.
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[4, 32], pl.FP32], i: pl.Tensor[[4, 64], pl.INT32], z: pl.Out[pl.Tensor[[4, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        at = pl.mul(i[0:4, 0:64], i[0:4, 0:64])
        a = pl.gather(x[0:4, 0:32], dim=-1, index=at)
        b = pl.gather(pl.neg(x[0:4, 0:32]), dim=-1, index=at)
        z[0:4, 0:64] = pl.add(pl.mul(a, 3.0), b)
    return z
