# case: f14_slice_of_slice
# expect: ok
# arch: any
# entry: nested_window
# offsets: L19 w=[3, 0, 0, 0, 0]
# sizes: L19 w=[4, 4, 3, 16, 16]
# offsets: L20 w_a=[1, 0, 0, 0, 0]
# sizes: L20 w_a=[2, 4, 3, 16, 16]
# row: F14
import pypto.language as pl


@pl.jit
def nested_window(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[8, 48, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
):
    w_a = pl.slice(w, [4, 48, 64], [3, 0, 0])
    w_b = pl.slice(w_a, [2, 48, 64], [1, 0, 0])
    for _ in pl.spmd(1, name_hint="nested_window_core"):
        acc = pl.matmul(act[0:16, 0:64], w_b[1:2, 0:48, 0:64], b_trans=True, out_dtype=pl.FP32)
        dst[0:16, 0:48] = pl.reshape(acc, [16, 48])
    return dst
