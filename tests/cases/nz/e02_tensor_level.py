# case: e02_tensor_level
# expect: reject gm-gap line=18
# related-line=14
# arch: any
# entry: tall_window
# mentions: 65536; 65552; 65535; pto-isa#317; temporary
# row: E02
import pypto.language as pl


@pl.jit
def tall_window(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[65552, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 16], pl.FP32]],
):
    for _ in pl.spmd(1, name_hint="tall_window_core"):
        w_t = w[0:16, 0:64]
        dst[0:16, 0:16] = pl.matmul(act[0:16, 0:64], w_t, b_trans=True, out_dtype=pl.FP32)
    return dst
