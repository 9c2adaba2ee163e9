# expect: ok
# What the vector core prepares is too large for L0 in one piece.
import pypto.language as pl

M = 32
K = 512
N = 128


@pl.jit
def scaled(
    a: pl.Tensor[[M, K], pl.FP16],
    s: pl.Tensor[[M, K], pl.FP16],
    b: pl.Tensor[[K, N], pl.FP16],
    out: pl.Out[pl.Tensor[[M, N], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="scaled_core"):
        x = pl.mul(a, s)
        out[:] = pl.abs(pl.matmul(x, b, out_dtype=pl.FP32))
    return out
