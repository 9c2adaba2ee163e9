# expect: reject type-mismatch line=14
# arch: a3
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[32, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[32, 64], pl.FP16]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.create_tensor([32, 64], dtype=pl.FP32)
        t[:, :] = pl.add(x, 1.0)
        out[:, :] = t
    return out
