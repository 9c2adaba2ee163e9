# case: d61_folded_batch_before_zero
# expect: reject loop-bounds line=19
# arch: any
# entry: kern
# at: l
# mentions: axis 1
# rule: also where the fold would hide it behind another axis
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[2, 3, 32, 64], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    for b in pl.spmd(2, name_hint="gate"):
        for l in pl.range(-1, 2):
            out[:, :] = pl.matmul(x, w[b, l], b_trans=True, out_dtype=pl.FP32)
    return out
