# case: element_written_past_end
# expect: reject loop-bounds line=17
# arch: any
# entry: kern
# at: [l, 0, 0]
# annotation: none
# mentions: axis 0; extent 4
# rule: an element that is written is followed as one that is read is
import pypto.language as pl


@pl.jit
def kern(
    out: pl.Out[pl.Tensor[[4, 16, 32], pl.FP32]],
):
    for l in pl.spmd(6, name_hint="gate"):
        pl.write(out, [l, 0, 0], 1.0)
    return out
