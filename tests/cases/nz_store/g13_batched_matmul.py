# case: g13_batched_matmul
# expect: ok
# arch: a2a3
# entry: panels
# blocked: y_nz=[2, 2, 2, 16, 8]
# offsets: L22 y_nz=[0, 0, 0, 0, 0]
# offsets: L22 y_nz=[1, 0, 0, 0, 0]
# sizes: L22 y_nz=[1, 2, 2, 16, 8]
# note: one store for each panel
# row: G13
import pypto.language as pl


@pl.jit
def panels(
    x: pl.Tensor[[2, 32, 64], pl.FP16],
    w: pl.Tensor[[2, 16, 64], pl.FP16],
    y_nz: pl.Out[pl.Tensor[[2, 32, 16], pl.FP32, pl.NZ]],
):
    for _ in pl.spmd(1, name_hint="pn"):
        acc = pl.matmul(x[0:2, 0:32, 0:64], w[0:2, 0:16, 0:64], b_trans=True, out_dtype=pl.FP32)
        y_nz[0:2, 0:32, 0:16] = acc
    return y_nz
