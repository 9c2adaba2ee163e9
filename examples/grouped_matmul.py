"""A grouped matmul: every expert multiplies its own tokens by its own NZ weight.

Each block of the launch owns one expert and one tile of output columns. The row offset `n0` and the column offset `k0` are
symbolic, and both are provable: `n0` is a product with a multiple of 16, `k0` runs in steps that are multiples of c0 = 32, and
neither can be negative.
"""

import pypto.language as pl

EXPERTS = 4
TOKENS = 32
N = 512
K = 1024
N_TILE = 128
K_TILE = 256
N_TILES = N // N_TILE


@pl.jit
def grouped_matmul(
    tokens: pl.Tensor[[EXPERTS, TOKENS, K], pl.INT8],
    weight: pl.Tensor[[EXPERTS, N, K], pl.INT8, pl.NZ],
    out: pl.Out[pl.Tensor[[EXPERTS * TOKENS, N], pl.INT32]],
):
    for lane in pl.spmd(EXPERTS * N_TILES, name_hint="grouped"):
        expert = lane // N_TILES
        m0 = expert * TOKENS
        n0 = (lane % N_TILES) * N_TILE
        x0 = tokens[expert, 0:TOKENS, 0:K_TILE]
        w0 = weight[expert, n0 : n0 + N_TILE, 0:K_TILE]
        acc = pl.matmul(x0, w0, b_trans=True, out_dtype=pl.INT32)
        for k0 in pl.pipeline(K_TILE, K, K_TILE, stage=2):
            xk = tokens[expert, 0:TOKENS, k0 : k0 + K_TILE]
            wk = weight[expert, n0 : n0 + N_TILE, k0 : k0 + K_TILE]
            acc = pl.matmul_acc(acc, xk, wk, b_trans=True)
        out[m0 : m0 + TOKENS, n0 : n0 + N_TILE] = acc
    return out
