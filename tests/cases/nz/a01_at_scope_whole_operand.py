# case: a01_at_scope_whole_operand
# expect: ok
# arch: any
# entry: in_one_core
# blocked: w=[1, 4, 3, 16, 16]
# offsets: L19 w=[0, 0, 0, 0, 0]
# sizes: L19 w=[1, 4, 3, 16, 16]
# row: A01
import pypto.language as pl


@pl.jit
def in_one_core(
    act: pl.Tensor[[16, 64], pl.BF16],
    w: pl.Tensor[[48, 64], pl.BF16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="whole"):
        dst[0:16, 0:48] = pl.matmul(act[0:16, 0:64], w[:, :], b_trans=True, out_dtype=pl.FP32)
    return dst
