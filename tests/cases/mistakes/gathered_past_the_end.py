# expect: reject bounds line=14
# arch: a3
# The rows that are gathered exist.
import pypto.language as pl


@pl.jit
def kern(
    cache: pl.Tensor[[64, 64], pl.FP16],
    out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    q: pl.Tensor[[16, 64], pl.FP16],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        kv = pl.gather_row(pl.create_l1([32, 64], pl.FP16), cache, [0, 0], [40, 0], [32, 64])
        out[:, :] = pl.matmul(q, kv, b_trans=True, out_dtype=pl.FP32)
    return out
