# case: d02_spmd_times_8
# expect: reject offset-align line=22
# related-line=17
# def-line=21
# arch: any
# entry: half_fractals
# mentions: shape[-2]; 16
# help-mentions: product; loop; sum
# at: n0 || n0 : n0 + 32
# row: D02
import pypto.language as pl


@pl.jit
def half_fractals(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[512, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    for nb in pl.spmd(16, name_hint="hf"):
        n0 = nb * 8
        w_t = w[n0 : n0 + 32, 0:64]
        dst[0:16, 0:32] = pl.matmul(act[0:16, 0:64], w_t, b_trans=True, out_dtype=pl.FP32)
    return dst
