# case: f02_inner_window_under_spanning
# expect: reject window line=18
# related-line=15
# arch: any
# entry: spans_both
# mentions: leading axis; shape[1]
# note: names batches {1, 2, 5, 6}; a naive fold would read {1, 2, 3, 4}
# row: F02
import pypto.language as pl


@pl.jit
def spans_both(
    act: pl.Tensor[[16, 512], pl.INT8],
    w: pl.Tensor[[2, 4, 256, 512], pl.INT8, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 256], pl.INT32]],
):
    w_win = pl.slice(w, [2, 2, 256, 512], [0, 1, 0, 0])
    for _ in pl.spmd(1, name_hint="spans_both_core"):
        acc = pl.matmul(act[0:16, 0:512], w_win[0:1, 0:1, 0:256, 0:512], b_trans=True, out_dtype=pl.INT32)
        dst[0:16, 0:256] = pl.reshape(acc, [16, 256])
    return dst
