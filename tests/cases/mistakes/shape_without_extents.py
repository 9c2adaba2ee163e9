# case: shape_without_extents
# expect: reject shape-mismatch line=10
# at: []
# mentions: at least one axis
# arch: any
import pypto.language as pl

@pl.jit.incore
def kern(x: pl.Tensor[[16], pl.FP32], y: pl.Out[pl.Tensor[[16], pl.FP32]]):
    a = pl.create_tile([], dtype=pl.FP32)
    b = pl.tile.cmp(a, a)
    t = pl.load(x, [0], [16])
    y = pl.store(t, [0], y)
    return y
