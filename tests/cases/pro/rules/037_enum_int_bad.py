# case: pro_rule_037_bad
# expect: reject pro-enum-int line=12
# arch: a5
# rule: Enum keywords take the enum, not its number
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, layout=2)
