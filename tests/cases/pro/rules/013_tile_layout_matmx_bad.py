# case: pro_rule_013_bad
# expect: reject pro-tile-layout-matmx line=12
# arch: a5
# rule: Mat ZZ/NN only for FP8E8M0
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 4], dtype=pl.DT_INT8, target_memory=pl.MemorySpace.Mat, layout=pl.ZZ)
