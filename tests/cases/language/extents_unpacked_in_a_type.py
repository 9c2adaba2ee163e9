# expect: reject bounds line=14
# arch: a3
import pypto.language as pl

SHAPE = (64, 32)


@pl.jit
def kern(
    x: pl.Tensor[[*SHAPE], pl.FP32],
    out: pl.Out[pl.Tensor[list(SHAPE), pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        out = pl.store(pl.load(x, [0, 0], [64, 64]), [0, 0], out)
    return out
