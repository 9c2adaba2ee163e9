# case: pro_y15_layout_as_a_number
# expect: reject pro-enum-int line=12
# arch: a5
# rule: layouts have names
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, layout=3)
