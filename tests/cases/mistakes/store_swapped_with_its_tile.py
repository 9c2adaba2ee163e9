# expect: reject type-mismatch line=14
# arch: a3
# mentions: the tile comes first
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.load(x, [0, 0], [64, 64])
        out = pl.store(out, [0, 0], t)
    return out
