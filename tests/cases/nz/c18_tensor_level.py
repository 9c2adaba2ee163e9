# case: c18_tensor_level
# expect: reject bounds line=18
# arch: any
# entry: long_window
# mentions: 112; 96
# slug: bounds
# row: C18
import pypto.language as pl


@pl.jit
def long_window(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    for _ in pl.spmd(1, name_hint="long_window_core"):
        w_t = w[80:112, 0:64]
        dst[0:16, 0:32] = pl.matmul(act[0:16, 0:64], w_t, b_trans=True, out_dtype=pl.FP32)
    return dst
