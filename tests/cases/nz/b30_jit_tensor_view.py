# case: b30_jit_tensor_view
# expect: reject bad-annotation line=13
# arch: any
# entry: viewed
# mentions: w_view; pl.function
# row: B30
import pypto.language as pl


@pl.jit
def viewed(
    act: pl.Tensor[[16, 64], pl.FP16],
    w_view: pl.Tensor[[32, 64], pl.FP16, pl.TensorView(layout=pl.TensorLayout.NZ)],
    dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    for _ in pl.spmd(1, name_hint="vw"):
        dst[0:16, 0:32] = pl.matmul(act[0:16, 0:64], w_view[0:32, 0:64], b_trans=True, out_dtype=pl.FP32)
    return dst
