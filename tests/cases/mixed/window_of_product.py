# expect: ok
# The vector core takes windows of a product, one of them in a loop: the whole product goes over once.
import pypto.language as pl

M = 32
K = 64
N = 64


@pl.jit
def windows(
    a: pl.Tensor[[M, K], pl.FP16],
    b: pl.Tensor[[K, N], pl.FP16],
    out: pl.Out[pl.Tensor[[M, N], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="windows_core"):
        p = pl.matmul(a, b, out_dtype=pl.FP32)
        top = p[0:16, :]
        for i in pl.range(0, M, 16):
            part = p[i : i + 16, :]
            out[i : i + 16, :] = pl.add(part, top)
    return out
