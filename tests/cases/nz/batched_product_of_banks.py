# expect: ok
# arch: a3
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[4, 32, 128], pl.FP16],
    w: pl.Tensor[[4, 256, 128], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[4, 32, 256], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.matmul(x, w, b_trans=True, out_dtype=pl.FP32)
        out[:, :, :] = t
    return out
