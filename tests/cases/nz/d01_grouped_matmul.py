# case: d01_grouped_matmul
# expect: ok
# arch: any
# entry: grouped_matmul
# blocked: w=[1, 64, 64, 16, 32]
# strides: w=[2097152, 32768, 512, 32, 1]
# offsets: L28 w=[0, 0, floordiv(n0, 16), 0, 0]
# offsets: L31 w=[0, floordiv(k0, 32), floordiv(n0, 16), 0, 0]
# sizes: L31 w=[1, 16, 16, 16, 32]
# note: the weight path of a grouped matmul
# row: D01
import pypto.language as pl

N = 1024
K = 2048
N_TILE = 256
K_TILE = 512


@pl.jit
def grouped_matmul(
    act: pl.Tensor[[16, K], pl.INT8],
    w: pl.Tensor[[N, K], pl.INT8, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, N], pl.INT32]],
):
    for nb in pl.spmd(N // N_TILE, name_hint="gm"):
        n0 = nb * N_TILE
        w_first = w[n0 : n0 + N_TILE, 0:K_TILE]
        acc = pl.matmul(act[0:16, 0:K_TILE], w_first, b_trans=True, out_dtype=pl.INT32)
        for k0 in pl.pipeline(K_TILE, K, K_TILE, stage=2):
            wt = w[n0 : n0 + N_TILE, k0 : k0 + K_TILE]
            acc = pl.matmul_acc(acc, act[0:16, k0 : k0 + K_TILE], wt, b_trans=True)
        dst[0:16, n0 : n0 + N_TILE] = acc
    return dst
