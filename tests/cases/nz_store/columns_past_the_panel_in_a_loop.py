# case: columns_past_the_panel_in_a_loop
# expect: reject loop-bounds line=18
# arch: a2a3
# entry: kern
# mentions: 64..96; extent 64
# rule: with the extents that the subscript gives on the other axes
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[128, 64], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[2, 16, 64], pl.FP32, pl.NZ]],
):
    for b in pl.spmd(1, name_hint="gate"):
        for j in pl.range(3):
            out[b, :, j * 32 : j * 32 + 32] = pl.matmul(x, w[j * 32 : j * 32 + 32], b_trans=True, out_dtype=pl.FP32)
    return out
