# case: c12_tensor_level
# expect: reject rows-align line=19
# related-line=15
# arch: any
# entry: short_window
# mentions: 16; 24
# at: 24 || 0:24
# row: C12
import pypto.language as pl


@pl.jit
def short_window(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 24], pl.FP32]],
):
    for _ in pl.spmd(1, name_hint="short_window_core"):
        w_t = w[0:24, 0:64]
        dst[0:16, 0:24] = pl.matmul(act[0:16, 0:64], w_t, b_trans=True, out_dtype=pl.FP32)
    return dst
