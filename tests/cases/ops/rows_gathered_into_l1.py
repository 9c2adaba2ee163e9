# expect: ok
# Rows that an index chooses are brought into the cube unit's memory one by one, and several at once.
import pypto.language as pl

ROWS = 32
DIM = 64


@pl.jit
def kern(
    q: pl.Tensor[[16, DIM], pl.BF16],
    cache: pl.Tensor[[48, DIM], pl.BF16],
    out: pl.Out[pl.Tensor[[16, ROWS], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        kv = pl.create_l1([ROWS, DIM], pl.BF16)
        for r in pl.range(12):
            kv = pl.gather_row(kv, cache, [r, 0], [40 - 3 * r, 0], [1, DIM])
        for r in pl.range(12, 16):
            if r < 14:
                kv = pl.gather_row(kv, cache, [r, 0], [r + 30, 0], [1, DIM])
            else:
                kv = pl.gather_row(kv, cache, [r, 0], [0, 0], [1, DIM])
        kv = pl.gather_row(kv, cache, [16, 0], [5, 0], [16, DIM])
        out[:, :] = pl.matmul(q, kv, b_trans=True, out_dtype=pl.FP32)
    return out
