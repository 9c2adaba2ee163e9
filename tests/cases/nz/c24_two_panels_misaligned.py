# case: c24_two_panels_misaligned
# expect: reject offset-align line=19
# related-line=15
# arch: any
# entry: panels_at_eight
# mentions: shape[-2]; 16; 8
# note: one diagnostic for the access, although two loads come of it
# row: C24
import pypto.language as pl


@pl.jit
def panels_at_eight(
    tok: pl.Tensor[[2, 16, 64], pl.FP16],
    w: pl.Tensor[[4, 64, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[2, 16, 32], pl.FP32]],
):
    for _ in pl.spmd(1, name_hint="pe"):
        w_p = w[1:3, 8:40, 0:64]
        dst[0:2, 0:16, 0:32] = pl.matmul(tok[0:2, 0:16, 0:64], w_p, b_trans=True, out_dtype=pl.FP32)
    return dst
