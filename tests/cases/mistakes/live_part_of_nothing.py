# expect: reject shape-mismatch line=11
# at: 0
# mentions: valid_shape; leaves nothing
# annotation: none
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[16, 64], pl.FP32], z: pl.Out[pl.Tensor[[16, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.slice(x, [16, 64], [0, 0], valid_shape=[0, 64])
        z[:, :] = pl.add(t, 1.0)
    return z
