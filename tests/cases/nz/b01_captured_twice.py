# case: b01_captured_twice
# expect: reject rows-align line=15
# arch: any
# entry: used_twice
# mentions: 16; 72
# at: pl.NZ
# note: one diagnostic, although two kernels capture the tensor
# row: B01
import pypto.language as pl


@pl.jit
def used_twice(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[72, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
):
    for _ in pl.spmd(1, name_hint="half_a"):
        dst[0:16, 0:32] = pl.matmul(act[0:16, 0:64], w[0:32, 0:64], b_trans=True, out_dtype=pl.FP32)
    for _ in pl.spmd(1, name_hint="half_b"):
        dst[0:16, 32:64] = pl.matmul(act[0:16, 0:64], w[40:72, 0:64], b_trans=True, out_dtype=pl.FP32)
    return dst
