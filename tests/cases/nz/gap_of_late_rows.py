# expect: reject gm-gap line=13
# arch: a3
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[32, 128], pl.FP16],
    w: pl.Tensor[[131072, 128], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[32, 256], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, 0:64] = pl.matmul(x, w[65536 : 65600, :], b_trans=True, out_dtype=pl.FP32)
    return out
