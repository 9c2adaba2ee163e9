# expect: reject type-mismatch line=13
# arch: a3
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[32, 64], pl.INT8],
    w: pl.Tensor[[64, 32], pl.INT8],
    out: pl.Out[pl.Tensor[[32, 32], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :] = pl.matmul(x, w, out_dtype=pl.FP32)
    return out
