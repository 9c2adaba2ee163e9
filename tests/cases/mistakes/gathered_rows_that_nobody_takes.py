# expect: ok
# warns: unused-result line=17
# mentions: gather_row
# The rows are in what the call gives, not in `kv`.
import pypto.language as pl


@pl.jit
def kern(
    cache: pl.Tensor[[64, 64], pl.FP16],
    q: pl.Tensor[[16, 64], pl.FP16],
    out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        kv = pl.create_l1([32, 64], pl.FP16)
        kv = pl.gather_row(kv, cache, [0, 0], [0, 0], [32, 64])
        pl.gather_row(kv, cache, [0, 0], [8, 0], [4, 64])
        out[:, :] = pl.matmul(q, kv, b_trans=True, out_dtype=pl.FP32)
    return out
