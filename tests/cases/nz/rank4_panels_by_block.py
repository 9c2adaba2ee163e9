# expect: ok
# arch: a3
import pypto.language as pl


@pl.jit
def kern(
    w: pl.Tensor[[2, 2, 32, 64], pl.FP16, pl.NZ],
    x: pl.Tensor[[16, 64], pl.FP16],
    out: pl.Out[pl.Tensor[[4, 16, 32], pl.FP32, pl.NZ]],
):
    for e in pl.spmd(4, name_hint="g"):
        out[e, :, :] = pl.matmul(x, w[e // 2, e % 2], b_trans=True, out_dtype=pl.FP32)
    return out
