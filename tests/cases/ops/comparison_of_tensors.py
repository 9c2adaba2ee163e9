# expect: ok
# Tensors that are compared give one and zero, where tiles give bits.
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[16, 64], pl.FP32],
    y: pl.Tensor[[16, 64], pl.FP32],
    z: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        a = x[:, :]
        count = pl.add(pl.cmp(a, 1.0, cmp_type=5), pl.cmp(a, -2.0, cmp_type=5))
        count = pl.add(count, pl.cmp(a, y[:, :], cmp_type=2))
        z[:, :] = pl.mul(count, 3.0)
    return z
