# case: pro_rule_044_bad
# expect: ok
# arch: a5
# rule: Scaling 128 / Bias 64 (documented, unchecked)
# warns: pro-addr-align-soft line=13
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    pl.make_tile(pl.TileType(shape=[1, 16], dtype=pl.DT_INT64, target_memory=pl.MemorySpace.Scaling), addr=0x40)
