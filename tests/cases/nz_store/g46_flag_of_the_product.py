# case: g46_flag_of_the_product
# expect: ok
# arch: a2a3
# entry: flagged
# blocked: y_nz=[1, 4, 4, 16, 8]
# offsets: L20 y_nz=[0, 0, 0, 0, 0]
# row: G46
import pypto.language as pl


@pl.jit
def flagged(
    x: pl.Tensor[[64, 64], pl.FP16],
    w: pl.Tensor[[32, 64], pl.FP16],
    y_nz: pl.Out[pl.Tensor[[64, 32], pl.FP32, pl.NZ]],
    y: pl.Out[pl.Tensor[[64, 32], pl.FP32]],
):
    for _ in pl.spmd(1, name_hint="core"):
        acc = pl.matmul(x[0:64, 0:64], w[0:32, 0:64], b_trans=True, out_dtype=pl.FP32, c_matrix_nz=True)
        y_nz[0:64, 0:32] = acc
        second = pl.matmul(x[0:64, 0:64], w[0:32, 0:64], b_trans=True, out_dtype=pl.FP32, c_matrix_nz=True)
        y[0:64, 0:32] = second
    return y_nz, y
