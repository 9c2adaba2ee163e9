# case: a01_jit_whole_operand
# expect: ok
# arch: any
# entry: whole_operand
# blocked: w=[1, 4, 2, 16, 16]
# note: a whole tensor as operand becomes a load of all of it
# row: A01
import pypto.language as pl


@pl.jit
def whole_operand(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    for _ in pl.spmd(1, name_hint="wo"):
        dst[0:16, 0:32] = pl.matmul(act, w, b_trans=True, out_dtype=pl.FP32)
    return dst
