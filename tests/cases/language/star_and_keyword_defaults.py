# expect: ok
# arch: a3
import pypto.language as pl
def f(a, b=2, *rest, c=4, **kw):
    return a * b * c + sum(rest) + kw.get("d", 0)


T = f(7, 2, 1, 2, d=5)

@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.load(x, [0, 0], [T, T])
        out = pl.store(pl.add(t, t), [0, 0], out)
    return out
