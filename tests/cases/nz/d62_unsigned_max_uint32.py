# case: d62_unsigned_max_uint32
# expect: ok
# arch: any
# entry: kern
# rule: the larger of an unsigned scalar and 0 is proven as a signed one is
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[256, 64], pl.FP16, pl.NZ],
    s: pl.Scalar[pl.UINT32],
    out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        r = pl.max(s, 0) * 16
        out[:, :] = pl.matmul(x, w[r : r + 32, :], b_trans=True, out_dtype=pl.FP32)
    return out
