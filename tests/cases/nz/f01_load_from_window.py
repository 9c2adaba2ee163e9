# case: f01_load_from_window
# expect: ok
# arch: any
# entry: load_from_window
# offsets: L19 w=[2, 0, 0, 0, 0]
# sizes: L19 w=[2, 16, 16, 16, 32]
# offsets: L21 w_win=[1, 0, 0, 0, 0]
# sizes: L21 w_win=[1, 16, 16, 16, 32]
# row: F01
import pypto.language as pl


@pl.jit
def load_from_window(
    act: pl.Tensor[[16, 512], pl.INT8],
    w: pl.Tensor[[4, 256, 512], pl.INT8, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 256], pl.INT32]],
):
    w_win = pl.slice(w, [2, 256, 512], [2, 0, 0])
    for _ in pl.spmd(1, name_hint="lfw"):
        w_e = w_win[1:2, 0:256, 0:512]
        acc = pl.matmul(act[0:16, 0:512], w_e, b_trans=True, out_dtype=pl.INT32)
        dst[0:16, 0:256] = pl.reshape(acc, [16, 256])
    return dst
