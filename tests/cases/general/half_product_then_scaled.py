# expect: ok
# arch: a3
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[32, 64], pl.FP16],
    w: pl.Tensor[[64, 32], pl.FP16],
    out: pl.Out[pl.Tensor[[32, 32], pl.FP16]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.matmul(x, w, out_dtype=pl.FP16)
        out[:, :] = pl.mul(t, 0.5)
    return out
