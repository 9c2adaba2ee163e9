# case: f01_leading_window
# expect: ok
# arch: any
# entry: two_of_four
# blocked: w=[4, 16, 16, 16, 32]
# offsets: L18 w=[2, 0, 0, 0, 0]
# sizes: L18 w=[2, 16, 16, 16, 32]
# row: F01
import pypto.language as pl


@pl.jit
def two_of_four(
    act: pl.Tensor[[16, 512], pl.INT8],
    w: pl.Tensor[[4, 256, 512], pl.INT8, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 256], pl.INT32]],
):
    w_win = pl.slice(w, [2, 256, 512], [2, 0, 0])
    for _ in pl.spmd(1, name_hint="two_of_four_core"):
        acc = pl.matmul(act[0:16, 0:512], w_win[1:2, 0:256, 0:512], b_trans=True, out_dtype=pl.INT32)
        dst[0:16, 0:256] = pl.reshape(acc, [16, 256])
    return dst
