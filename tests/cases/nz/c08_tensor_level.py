# case: c08_tensor_level
# expect: reject offset-align line=19
# related-line=15
# arch: any
# entry: row_eight
# mentions: shape[-2]; 16; 8
# at: 8 || 8:40
# row: C08
import pypto.language as pl


@pl.jit
def row_eight(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    for _ in pl.spmd(1, name_hint="row_eight_core"):
        w_t = w[8:40, 0:64]
        dst[0:16, 0:32] = pl.matmul(act[0:16, 0:64], w_t, b_trans=True, out_dtype=pl.FP32)
    return dst
