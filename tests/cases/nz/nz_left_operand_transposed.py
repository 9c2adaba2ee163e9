# expect: ok
# arch: a3
import pypto.language as pl


@pl.jit
def kern(
    w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
    x: pl.Tensor[[32, 64], pl.FP16],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        acc = pl.matmul(w[0:16, :], x[0:16, :], a_trans=True, out_dtype=pl.FP32)
        acc = pl.matmul_acc(acc, w[16:32, :], x[16:32, :], a_trans=True)
        out[:, :] = acc
    return out
