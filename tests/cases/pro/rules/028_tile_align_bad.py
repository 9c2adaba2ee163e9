# case: pro_rule_028_bad
# expect: reject pro-tile-align line=12
# arch: a5
# rule: Boxed tile rows must fill whole boxes (not Vec, not rows 1)
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[24, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
