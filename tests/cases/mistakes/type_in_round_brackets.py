# expect: reject bad-annotation line=9
# arch: a3
# mentions: pl.Tensor[[64, 64], pl.FP32]
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor([64, 64], pl.FP32),
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :] = pl.add(x, 1.0)
    return out
