# case: pro_rule_031_ok
# expect: ok
# arch: a5
# rule: Bias tile has one row
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[1, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Bias)
