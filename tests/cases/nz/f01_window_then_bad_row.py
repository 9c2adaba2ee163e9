# case: f01_window_then_bad_row
# expect: reject offset-align line=21
# related-line=16
# arch: any
# entry: row_after_window
# mentions: shape[-2]; 16; 24
# at: 24 || 24:56
# note: the responsible annotation is the one the window was cut from
# row: F01
import pypto.language as pl


@pl.jit
def row_after_window(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[4, 96, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    w_win = pl.slice(w, [2, 96, 64], [2, 0, 0])
    for _ in pl.spmd(1, name_hint="raw"):
        w_e = w_win[1:2, 24:56, 0:64]
        acc = pl.matmul(act[0:16, 0:64], w_e, b_trans=True, out_dtype=pl.FP32)
        dst[0:16, 0:32] = pl.reshape(acc, [16, 32])
    return dst
