# case: pro_rule_027_bad
# expect: reject pro-tile-align line=12
# arch: a5
# rule: Boxed tile columns must fill whole boxes
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 24], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
