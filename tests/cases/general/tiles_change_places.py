# expect: ok
# Two tiles that a loop carries change places in each round.
import pypto.language as pl


@pl.jit.incore
def kern(
    x: pl.Tensor[[16, 64], pl.FP32],
    y: pl.Tensor[[16, 64], pl.FP32],
    z: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
):
    a = pl.load(x, [0, 0], [16, 64])
    b = pl.load(y, [0, 0], [16, 64])
    for i in pl.range(3):
        a, b = b, a
    z = pl.store(pl.sub(a, b), [0, 0], z)
    return z
