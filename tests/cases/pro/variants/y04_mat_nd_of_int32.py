# case: pro_y04_mat_nd_of_int32
# expect: reject pro-tile-layout-mat64 line=12
# arch: a5
# rule: other integers may not
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 64], dtype=pl.DT_INT32, target_memory=pl.MemorySpace.Mat, layout=pl.ND)
