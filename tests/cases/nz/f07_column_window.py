# case: f07_column_window
# expect: reject window line=17
# related-line=14
# arch: any
# entry: half_cols
# mentions: leading ax
# row: F07
import pypto.language as pl


@pl.jit
def half_cols(
    act: pl.Tensor[[16, 256], pl.INT8],
    w: pl.Tensor[[256, 512], pl.INT8, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 256], pl.INT32]],
):
    w_win = pl.slice(w, [256, 256], [0, 256])
    for _ in pl.spmd(1, name_hint="half_cols_core"):
        acc = pl.matmul(act[0:16, 0:256], w_win[0:256, 0:256], b_trans=True, out_dtype=pl.INT32)
        dst[0:16, 0:256] = pl.reshape(acc, [16, 256])
    return dst
