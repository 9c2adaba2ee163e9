# case: panel_past_the_end_in_a_loop
# expect: reject loop-bounds line=19
# arch: a2a3
# entry: kern
# at: l
# mentions: extent 4
# rule: a write whose index drops an axis is followed through loops
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[32, 64], pl.FP16],
    out: pl.Out[pl.Tensor[[4, 16, 32], pl.FP32, pl.NZ]],
):
    for b in pl.spmd(1, name_hint="gate"):
        for l in pl.range(0, 6):
            out[l] = pl.matmul(x, w, b_trans=True, out_dtype=pl.FP32)
    return out
