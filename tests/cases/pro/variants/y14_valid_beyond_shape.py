# case: pro_y14_valid_beyond_shape
# expect: reject pro-tile-valid line=12
# arch: a5
# rule: valid_shape within the shape
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, valid_shape=[64, 65])
