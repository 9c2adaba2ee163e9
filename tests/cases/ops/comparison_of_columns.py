# expect: ok
# Columns are compared as rows of as many elements; a row or a column beside a matrix is repeated.
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[32, 64], pl.FP32],
    y: pl.Tensor[[32, 64], pl.FP32],
    n: pl.Scalar[pl.INDEX],
    z: pl.Out[pl.Tensor[[32, 1], pl.FP32]],
    w: pl.Out[pl.Tensor[[32, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        z[:, :] = pl.cmp(x[:, 3:4], y[:, n : n + 1], cmp_type=2)
        by_column = pl.cmp(x[:, :], y[:, 0:1], cmp_type=4)
        by_row = pl.cmp(x[:, :], y[5:6, :], cmp_type=2)
        w[:, :] = pl.add(by_column, pl.mul(by_row, 2.0))
    return z, w
