# expect: reject shape-mismatch line=13
# arch: a3
# at: 32:32
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, 0:16] = pl.add(x[:, 32:32], 1.0)
    return out
