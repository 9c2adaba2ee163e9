# case: d34_tensor_level
# expect: reject offset-sign line=22
# related-line=16
# def-line=21
# arch: any
# entry: row_of_host
# mentions: shape[-2]; non-negative
# at: r0 || r0 : r0 + 32
# row: D34
import pypto.language as pl


@pl.jit
def row_of_host(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[256, 64], pl.FP16, pl.NZ],
    first: pl.Scalar[pl.INDEX],
    dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    for _ in pl.spmd(1, name_hint="row_of_host_core"):
        r0 = first * 16
        w_t = w[r0 : r0 + 32, 0:64]
        dst[0:16, 0:32] = pl.matmul(act[0:16, 0:64], w_t, b_trans=True, out_dtype=pl.FP32)
    return dst
