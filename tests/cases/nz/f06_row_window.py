# case: f06_row_window
# expect: reject window line=18
# related-line=15
# arch: any
# entry: half_rows
# mentions: leading ax
# note: aligned, still refused: the rows of a window lie in C/c0 disjoint runs
# row: F06
import pypto.language as pl


@pl.jit
def half_rows(
    act: pl.Tensor[[16, 512], pl.INT8],
    w: pl.Tensor[[512, 512], pl.INT8, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 256], pl.INT32]],
):
    w_win = pl.slice(w, [256, 512], [256, 0])
    for _ in pl.spmd(1, name_hint="half_rows_core"):
        acc = pl.matmul(act[0:16, 0:512], w_win[0:256, 0:512], b_trans=True, out_dtype=pl.INT32)
        dst[0:16, 0:256] = pl.reshape(acc, [16, 256])
    return dst
