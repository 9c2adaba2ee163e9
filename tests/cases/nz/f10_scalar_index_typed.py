# case: f10_scalar_index_typed
# expect: ok
# arch: any
# entry: third_panel
# blocked: w=[4, 4, 3, 16, 16]
# blocked: w_p=[1, 4, 3, 16, 16]
# offsets: L19 w=[2, 0, 0, 0, 0]
# sizes: L19 w=[1, 4, 3, 16, 16]
# row: F10
import pypto.language as pl


@pl.jit
def third_panel(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[4, 48, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
):
    w_p: pl.Tensor[[48, 64], pl.FP16, pl.NZ] = w[2]
    for _ in pl.spmd(1, name_hint="third_panel_core"):
        acc = pl.matmul(act[0:16, 0:64], w_p[0:48, 0:64], b_trans=True, out_dtype=pl.FP32)
        dst[0:16, 0:48] = pl.reshape(acc, [16, 48])
    return dst
