# case: pro_y12_columns_of_fp32
# expect: ok
# arch: a5
# rule: 8 columns of FP32 fill one
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.TileType(shape=[32, 40], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Mat)
