# case: f03_unit_outer_axis
# expect: ok
# arch: any
# entry: unit_outer
# blocked: w=[12, 4, 2, 16, 16]
# offsets: L18 w=[7, 0, 0, 0, 0]
# sizes: L18 w=[2, 4, 2, 16, 16]
# row: F03
import pypto.language as pl


@pl.jit
def unit_outer(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[4, 3, 32, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    w_win = pl.slice(w, [1, 2, 32, 64], [2, 1, 0, 0])
    for _ in pl.spmd(1, name_hint="unit_outer_core"):
        acc = pl.matmul(act[0:16, 0:64], w_win[0:1, 1:2, 0:32, 0:64], b_trans=True, out_dtype=pl.FP32)
        dst[0:16, 0:32] = pl.reshape(acc, [16, 32])
    return dst
