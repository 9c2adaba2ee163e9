# expect: ok
# The sum of one element is the element, and its place is the first.
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[16, 64], pl.FP32],
    y: pl.Tensor[[16, 64], pl.FP32],
    n: pl.Scalar[pl.INDEX],
    z: pl.Out[pl.Tensor[[16, 1], pl.FP32]],
    u: pl.Out[pl.Tensor[[16, 1], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        both = pl.add(x, y)
        z[:, :] = pl.row_sum(both[:, n : n + 1])
        u[:, :] = pl.add(pl.row_max(both[:, 7:8]), 1.0)
    return z, u
