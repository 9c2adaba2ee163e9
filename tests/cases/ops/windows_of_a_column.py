# expect: ok
# Parts of a column, which the vector unit sees as a row.
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[32, 64], pl.FP32], z: pl.Out[pl.Tensor[[32, 1], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        sums = pl.row_sum(x[0:32, 0:64])
        z[0:16, 0:1] = sums[16:32, :]
        z[16:32, 0:1] = sums[0:16, :]
    return z
