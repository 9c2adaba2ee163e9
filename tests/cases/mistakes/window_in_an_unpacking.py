# expect: reject not-allowed-in-kernel line=13
# arch: a3
# at: out[:, :]
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :], z = x, x
    return out
