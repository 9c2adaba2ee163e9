# case: pro_y07_scale_left_as_nn
# expect: reject pro-tile-layout line=12
# arch: a5
# rule: ScaleLeft is ZZ only
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 4], dtype=pl.DT_FP8E8M0, target_memory=pl.MemorySpace.ScaleLeft, layout=pl.NN)
