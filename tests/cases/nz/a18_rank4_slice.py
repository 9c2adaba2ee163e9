# case: a18_rank4_slice
# expect: ok
# arch: a2a3
# entry: card_expert
# blocked: w=[8, 16, 16, 16, 32]
# offsets: L20 w=[7, 0, 0, 0, 0]
# sizes: L20 w=[1, 16, 16, 16, 32]
# note: batch 1 * 4 + 3
# row: A18
import pypto.language as pl


@pl.jit
def card_expert(
    tok: pl.Tensor[[16, 512], pl.INT8],
    w: pl.Tensor[[2, 4, 256, 512], pl.INT8, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 256], pl.INT32]],
):
    for _ in pl.spmd(1, name_hint="ce"):
        w_e = w[1:2, 3:4, 0:256, 0:512]
        acc = pl.matmul(tok[0:16, 0:512], w_e, b_trans=True, out_dtype=pl.INT32)
        dst[0:16, 0:256] = pl.reshape(acc, [16, 256])
    return dst
