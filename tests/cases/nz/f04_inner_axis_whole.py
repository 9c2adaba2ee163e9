# case: f04_inner_axis_whole
# expect: ok
# arch: any
# entry: whole_inner
# offsets: L17 w=[3, 0, 0, 0, 0]
# sizes: L17 w=[6, 4, 2, 16, 16]
# row: F04
import pypto.language as pl


@pl.jit
def whole_inner(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[4, 3, 32, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    w_win = pl.slice(w, [2, 3, 32, 64], [1, 0, 0, 0])
    for _ in pl.spmd(1, name_hint="whole_inner_core"):
        acc = pl.matmul(act[0:16, 0:64], w_win[1:2, 2:3, 0:32, 0:64], b_trans=True, out_dtype=pl.FP32)
        dst[0:16, 0:32] = pl.reshape(acc, [16, 32])
    return dst
