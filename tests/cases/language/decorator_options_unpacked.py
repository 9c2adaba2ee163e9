# expect: ok
# arch: a3
import pypto.language as pl
opts = dict(auto_scope=False)

@pl.jit(**opts)
def kern(
    x: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.load(x, [0, 0], [64, 64])
        out = pl.store(pl.add(t, t), [0, 0], out)
    return out
