# case: pro_y05_mat_zz_of_int8
# expect: reject pro-tile-layout-matmx line=12
# arch: a5
# rule: ZZ in L1 is for scales
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 64], dtype=pl.DT_INT8, target_memory=pl.MemorySpace.Mat, layout=pl.ZZ)
