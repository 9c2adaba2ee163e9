# expect: ok
# arch: a3
import pypto.language as pl
def T2(r, c, dt=pl.FP32):
    return pl.Tensor[[r, c], dt]



@pl.jit
def kern(
    x: T2(64, 64),
    out: pl.Out[T2(64, 64)],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.load(x, [0, 0], [64, 64])
        out = pl.store(pl.add(t, t), [0, 0], out)
    return out
