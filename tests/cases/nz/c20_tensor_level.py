# case: c20_tensor_level
# expect: ok
# arch: any
# entry: two_thirds
# offsets: L19 w=[0, 0, 0, 0, 0]
# offsets: L20 w=[0, 0, 4, 0, 0]
# sizes: L20 w=[1, 4, 2, 16, 16]
# row: C20
import pypto.language as pl


@pl.jit
def two_thirds(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
):
    for _ in pl.spmd(1, name_hint="tt"):
        a = w[0:32, 0:64]
        b = w[64:96, 0:64]
        dst[0:16, 0:32] = pl.matmul(act[0:16, 0:64], a, b_trans=True, out_dtype=pl.FP32)
        dst[0:16, 32:64] = pl.matmul(act[0:16, 0:64], b, b_trans=True, out_dtype=pl.FP32)
    return dst
