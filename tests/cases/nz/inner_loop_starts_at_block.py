# expect: ok
# arch: a3
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[32, 128], pl.FP16],
    w: pl.Tensor[[4, 256, 128], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[32, 256], pl.FP32]],
):
    for i in pl.spmd(2, name_hint="s"):
        for n0 in pl.range(i * 128, i * 128 + 128, 64):
            out[:, n0 : n0 + 64] = pl.matmul(x, w[0, n0 : n0 + 64, :], b_trans=True, out_dtype=pl.FP32)
    return out
