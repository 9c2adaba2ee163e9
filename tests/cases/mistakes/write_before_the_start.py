# case: write_before_the_start
# expect: reject loop-bounds line=18
# arch: any
# entry: kern
# at: l
# annotation: none
# mentions: `l = -1`
# rule: a dropped axis before its start
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[16, 64], pl.FP16],
    out: pl.Out[pl.Tensor[[4, 16, 64], pl.FP16]],
):
    for l in pl.range(-1, 3):
        out[l] = x
    return out
