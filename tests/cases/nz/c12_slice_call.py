# case: c12_slice_call
# expect: reject rows-align line=19
# related-line=15
# arch: any
# entry: short_slice
# mentions: 16; 24
# at: 24
# row: C12
import pypto.language as pl


@pl.jit
def short_slice(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 24], pl.FP32]],
):
    for _ in pl.spmd(1, name_hint="short_slice_core"):
        w_t = pl.slice(w, [24, 64], [16, 0])
        dst[0:16, 0:24] = pl.matmul(act[0:16, 0:64], w_t, b_trans=True, out_dtype=pl.FP32)
    return dst
