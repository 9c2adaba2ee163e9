# case: b01_jit_parameter
# expect: reject rows-align line=14
# arch: any
# entry: odd_bank
# mentions: 16; 40
# at: pl.NZ
# row: B01
import pypto.language as pl


@pl.jit
def odd_bank(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[40, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    for _ in pl.spmd(1, name_hint="odd_bank_core"):
        w_t = w[0:32, 0:64]
        dst[0:16, 0:32] = pl.matmul(act[0:16, 0:64], w_t, b_trans=True, out_dtype=pl.FP32)
    return dst
