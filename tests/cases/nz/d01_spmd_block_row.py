# case: d01_spmd_block_row
# expect: ok
# arch: any
# entry: column_blocks
# blocked: w=[1, 4, 64, 16, 16]
# offsets: L24 w=[0, 0, floordiv(n0, 16), 0, 0]
# sizes: L24 w=[1, 4, 16, 16, 16]
# note: the whole offset is divided: no nb * 16 anywhere
# row: D01
import pypto.language as pl

N = 1024
T = 256


@pl.jit
def column_blocks(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[N, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, N], pl.FP32]],
):
    for nb in pl.spmd(N // T, name_hint="cb"):
        n0 = nb * 256
        w_t = w[n0 : n0 + T, 0:64]
        dst[0:16, n0 : n0 + T] = pl.matmul(act[0:16, 0:64], w_t, b_trans=True, out_dtype=pl.FP32)
    return dst
