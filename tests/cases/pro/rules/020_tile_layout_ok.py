# case: pro_rule_020_ok
# expect: ok
# arch: a5
# rule: ScaleRight: NN only
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[4, 64], dtype=pl.DT_FP8E8M0, target_memory=pl.MemorySpace.ScaleRight)
