# case: name_hint_literal
# expect: reject literal-required line=18
# arch: any
# entry: hinted
# mentions: name_hint
# rule: name_hint is a string literal
import pypto.language as pl

HINT = "made_up"


@pl.jit
def hinted(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    for _ in pl.spmd(1, name_hint=HINT):
        dst[0:16, 0:32] = pl.matmul(act[0:16, 0:64], w[0:32, 0:64], b_trans=True, out_dtype=pl.FP32)
    return dst
