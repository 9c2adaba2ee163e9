# case: pro_rule_021_bad
# expect: reject pro-space-arch line=11
# arch: a3
# rule: ScaleLeft/ScaleRight exist on a5 only
# warns: pro-arch-support line=10
import pypto_pro.language as pl


@pl.jit(arch="a3")
def k(x: pl.Tensor[[8, 8], pl.DT_FP16]):
    t = pl.TileType(shape=[64, 4], dtype=pl.DT_FP8E8M0, target_memory=pl.MemorySpace.ScaleLeft)
