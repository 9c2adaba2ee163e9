# case: g45_tensor_level_assign
# expect: ok
# arch: a2a3
# entry: assigns
# blocked: y_nz=[1, 4, 4, 16, 8]
# offsets: L20 y_nz=[0, 0, 0, 0, 0]
# sizes: L20 y_nz=[1, 4, 4, 16, 8]
# row: G45
import pypto.language as pl


@pl.jit
def assigns(
    x: pl.Tensor[[64, 64], pl.FP16],
    w: pl.Tensor[[32, 64], pl.FP16],
    y_nz: pl.Out[pl.Tensor[[64, 32], pl.FP32, pl.NZ]],
):
    for _ in pl.spmd(1, name_hint="as"):
        acc = pl.matmul(x[0:64, 0:64], w[0:32, 0:64], b_trans=True, out_dtype=pl.FP32)
        y_nz[0:64, 0:32] = acc
    return y_nz
