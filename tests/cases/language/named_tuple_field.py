# expect: ok
# arch: a3
import pypto.language as pl
from typing import NamedTuple


class Sz(NamedTuple):
    r: int
    c: int = 64


T = Sz(3).c

@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.load(x, [0, 0], [T, T])
        out = pl.store(pl.add(t, t), [0, 0], out)
    return out
