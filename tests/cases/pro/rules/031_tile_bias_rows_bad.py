# case: pro_rule_031_bad
# expect: reject pro-tile-bias-rows line=12
# arch: a5
# rule: Bias tile has one row
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[16, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Bias)
