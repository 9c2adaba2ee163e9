# case: write_past_end_in_blocks
# expect: reject loop-bounds line=19
# arch: any
# entry: kern
# at: l
# annotation: none
# mentions: extent 4
# rule: blocks write past the end of a dropped axis
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[32, 64], pl.FP16],
    out: pl.Out[pl.Tensor[[4, 16, 32], pl.FP32]],
):
    for l in pl.spmd(6, name_hint="gate"):
        out[l, 0:16, 0:32] = pl.mul(pl.matmul(x, w, b_trans=True, out_dtype=pl.FP32), 2.0)
    return out
