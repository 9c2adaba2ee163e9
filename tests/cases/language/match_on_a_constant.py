# expect: ok
# arch: a3
import pypto.language as pl
match 3:
    case 1 | 2:
        T = 1
    case int(k) if k > 2:
        T = 64

@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.load(x, [0, 0], [T, T])
        out = pl.store(pl.add(t, t), [0, 0], out)
    return out
