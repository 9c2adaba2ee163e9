# case: sum_of_elements
# expect: ok
# entry: kern
# rule: floating-point scalars are added as any others are
import pypto.language as pl


@pl.jit.incore
def kern(
    x: pl.Tensor[[16, 64], pl.FP32],
    n: pl.Scalar[pl.FP32],
    z: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
):
    a = pl.load(x, [0, 0], [16, 64])
    s = n + 0.5
    for i in pl.range(64):
        s = s + pl.read(a, [0, i])
    z = pl.store(pl.tile.muls(a, s), [0, 0], z)
    return z
