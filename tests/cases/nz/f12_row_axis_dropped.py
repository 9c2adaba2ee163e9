# case: f12_row_axis_dropped
# expect: reject window line=17
# related-line=14
# arch: any
# entry: fifth_row
# mentions: axis; fractal plane
# row: F12
import pypto.language as pl


@pl.jit
def fifth_row(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[4, 48, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 4], pl.FP32]],
):
    w_r = w[:, 5]
    for _ in pl.spmd(1, name_hint="fifth_row_core"):
        acc = pl.matmul(act[0:16, 0:64], w_r[0:4, 0:64], b_trans=True, out_dtype=pl.FP32)
        dst[0:16, 0:4] = pl.reshape(acc, [16, 4])
    return dst
