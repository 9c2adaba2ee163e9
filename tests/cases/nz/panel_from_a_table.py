# expect: ok
# arch: a3
import pypto.language as pl


@pl.jit
def kern(
    w: pl.Tensor[[4, 32, 64], pl.FP16, pl.NZ],
    x: pl.Tensor[[16, 64], pl.FP16],
    idx: pl.Tensor[[4], pl.INT32],
    out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        i = pl.max(pl.read(idx, [2]), pl.const(0, pl.INT32))
        out[:, :] = pl.matmul(x, w[i], b_trans=True, out_dtype=pl.FP32)
    return out
