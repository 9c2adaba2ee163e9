# expect: reject bad-annotation line=10
# also: error bad-annotation line=11
# arch: a3
# at: 0
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[0, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[0, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :] = pl.add(x, 1.0)
    return out
