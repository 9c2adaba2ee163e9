# expect: ok
# Each round has what the tile began with: what is whole beside a part takes nothing away.
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[16, 64], pl.FP32],
    y: pl.Tensor[[16, 64], pl.FP32],
    n: pl.Scalar[pl.INDEX],
    z: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.slice(x, [16, 64], [n, 0], clamp=True)
        for _ in pl.range(0, 3):
            t = pl.add(t, y)
        z[:, :] = t
    return z
