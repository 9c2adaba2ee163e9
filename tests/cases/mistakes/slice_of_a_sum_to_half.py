# expect: reject type-mismatch line=13
# arch: a3
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[32, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[32, 64], pl.FP16]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.add(x, 1.0)
        out[0:16, :] = t[16:32, :]
    return out
