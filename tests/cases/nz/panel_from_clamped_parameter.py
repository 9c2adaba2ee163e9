# expect: ok
# arch: a3
import pypto.language as pl


@pl.jit
def kern(
    w: pl.Tensor[[4, 32, 64], pl.FP16, pl.NZ],
    x: pl.Tensor[[16, 64], pl.FP16],
    e: pl.Scalar[pl.INDEX],
    out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        i = pl.min(pl.max(e, 0), 3)
        out[:, :] = pl.matmul(x, w[i], b_trans=True, out_dtype=pl.FP32)
    return out
