# expect: ok
# arch: a3
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[40, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[48, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.slice(x, [16, 64], [32, 0], clamp=True)
        out[0:16, :] = pl.add(t, 1.0)
    return out
