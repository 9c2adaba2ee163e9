# case: c24_two_panels_batched
# expect: ok
# arch: any
# entry: both_panels
# offsets: L20 w=[0, 0, 0, 0, 0]
# offsets: L20 w=[1, 0, 0, 0, 0]
# sizes: L20 w=[1, 4, 2, 16, 16]
# note: one 2-D load for each batch
# row: C24
import pypto.language as pl


@pl.jit
def both_panels(
    tok: pl.Tensor[[2, 16, 64], pl.FP16],
    w: pl.Tensor[[4, 32, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[2, 16, 32], pl.FP32]],
):
    for _ in pl.spmd(1, name_hint="bp"):
        w_p = w[0:2, 0:32, 0:64]
        acc = pl.matmul(tok[0:2, 0:16, 0:64], w_p, b_trans=True, out_dtype=pl.FP32)
        dst[0:2, 0:16, 0:32] = acc
    return dst
