# case: d33_with_loop_variable
# expect: reject offset-align line=22
# related-line=14
# arch: any
# entry: branching
# mentions: shape[-2]; 16
# row: D33
import pypto.language as pl


@pl.jit
def branching(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[256, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    for nb in pl.spmd(4, name_hint="br"):
        if nb > 1:
            r = nb * 32
        else:
            r = nb * 64
        dst[0:16, 0:32] = pl.matmul(act[0:16, 0:64], w[r : r + 32, 0:64], b_trans=True, out_dtype=pl.FP32)
    return dst
