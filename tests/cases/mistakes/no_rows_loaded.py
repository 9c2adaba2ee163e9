# expect: reject shape-mismatch line=13
# arch: a3
# at: 0
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.load(x, [0, 0], [0, 64])
        out = pl.store(t, [0, 0], out)
    return out
