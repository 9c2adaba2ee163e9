# expect: reject bad-annotation line=11
# arch: a3
# at: int
# help-mentions: pl.Scalar
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.FP32],
    n: int,
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :] = pl.add(x, 1.0)
    return out
