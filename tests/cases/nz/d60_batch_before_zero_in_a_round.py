# case: d60_batch_before_zero_in_a_round
# expect: reject loop-bounds line=19
# arch: any
# entry: kern
# at: l
# mentions: -1; `l = -1`; axis 0
# rule: a batch offset that is negative in some round is refused, not clamped
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[6, 48, 64], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    for b in pl.spmd(1, name_hint="gate"):
        for l in pl.range(-1, 3):
            out[:, :] = pl.matmul(x, w[l, 0:32], b_trans=True, out_dtype=pl.FP32)
    return out
