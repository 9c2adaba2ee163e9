# expect: reject literal-required line=14
# at: n
# mentions: clamp; True or False
# annotation: none
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[16, 64], pl.FP32], n: pl.Scalar[pl.INDEX], z: pl.Out[pl.Tensor[[16, 64], pl.FP32]]
):
    with pl.at(level=pl.Level.CORE_GROUP):
        # Whether a window may be cut is decided while compiling.
        t = pl.slice(x, [16, 64], [n, 0], clamp=n)
        z[:, :] = pl.add(t, 1.0)
    return z
