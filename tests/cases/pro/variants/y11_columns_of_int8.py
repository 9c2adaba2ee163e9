# case: pro_y11_columns_of_int8
# expect: reject pro-tile-align line=12
# arch: a5
# rule: 32 columns of INT8 fill a box, 48 do not
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.TileType(shape=[32, 48], dtype=pl.DT_INT8, target_memory=pl.MemorySpace.Mat)
