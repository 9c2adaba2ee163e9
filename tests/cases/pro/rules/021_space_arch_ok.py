# case: pro_rule_021_ok
# expect: ok
# arch: a5
# rule: ScaleLeft/ScaleRight exist on a5 only
import pypto_pro.language as pl


@pl.jit(arch="a5")
def k(x: pl.Tensor[[8, 8], pl.DT_FP16]):
    t = pl.TileType(shape=[64, 4], dtype=pl.DT_FP8E8M0, target_memory=pl.MemorySpace.ScaleLeft)
