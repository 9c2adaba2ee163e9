# expect: ok
# arch: a3
# may-warn: output-not-written
# A slice is a load where it stands: what is gathered into it is no write of `q`, which stays an input.
import pypto.language as pl


@pl.jit
def kern(
    cache: pl.Tensor[[48, 64], pl.FP32],
    q: pl.Tensor[[32, 64], pl.FP32],
    z: pl.Out[pl.Tensor[[32, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = q[:, :]
        for r in pl.range(0, 4):
            t = pl.gather_row(t, cache, [r, 0], [r + 3, 0], [2, 64])
        z[:, :] = t
    return z
