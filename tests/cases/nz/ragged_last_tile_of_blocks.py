# expect: ok
# arch: a3
import pypto.language as pl


@pl.jit
def kern(
    w: pl.Tensor[[800, 64], pl.FP16, pl.NZ],
    x: pl.Tensor[[16, 64], pl.FP16],
    out: pl.Out[pl.Tensor[[16, 1024], pl.FP32]],
):
    for e in pl.spmd(4, name_hint="g"):
        o0 = e * 256
        v = pl.min(800 - o0, 256)
        wt = pl.slice(w, [256, 64], [o0, 0], valid_shape=[v, 64])
        out[:, o0 : o0 + 256] = pl.matmul(x, wt, b_trans=True, out_dtype=pl.FP32)
    return out
