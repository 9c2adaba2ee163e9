# case: c09_tensor_level
# expect: reject offset-align line=19
# related-line=15
# arch: any
# entry: col_eight
# mentions: shape[-1]; 16; 8
# at: 8 || 8:72
# row: C09
import pypto.language as pl


@pl.jit
def col_eight(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[32, 128], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    for _ in pl.spmd(1, name_hint="col_eight_core"):
        w_t = w[0:32, 8:72]
        dst[0:16, 0:32] = pl.matmul(act[0:16, 0:64], w_t, b_trans=True, out_dtype=pl.FP32)
    return dst
