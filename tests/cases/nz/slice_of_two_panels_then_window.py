# expect: ok
# arch: a3
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[32, 128], pl.FP16],
    w: pl.Tensor[[4, 256, 128], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[32, 256], pl.FP32]],
):
    ws = w[1:3]
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, 0:64] = pl.matmul(x, ws[1, 64:128, :], b_trans=True, out_dtype=pl.FP32)
    return out
