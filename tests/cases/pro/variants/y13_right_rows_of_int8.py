# case: pro_y13_right_rows_of_int8
# expect: reject pro-tile-align line=12
# arch: a5
# rule: in ZN the rows have 32 bytes
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.TileType(shape=[48, 32], dtype=pl.DT_INT8, target_memory=pl.MemorySpace.Right)
