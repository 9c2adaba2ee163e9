# case: d05_grouped_matmul_start
# expect: reject offset-align line=29
# related-line=21
# def-line=28
# arch: any
# entry: grouped_matmul
# mentions: shape[-1]; 32
# at: k0 || k0 : k0 + K_TILE
# row: D05
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
        for k0 in pl.pipeline(K_TILE + 16, K, K_TILE, stage=2):
            wt = w[n0 : n0 + N_TILE, k0 : k0 + K_TILE]
            acc = pl.matmul_acc(acc, act[0:16, k0 : k0 + K_TILE], wt, b_trans=True)
        dst[0:16, n0 : n0 + N_TILE] = acc
    return dst
