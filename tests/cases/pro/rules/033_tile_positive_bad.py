# case: pro_rule_033_bad
# expect: reject pro-tile-positive line=12
# arch: a5
# rule: dims are positive
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[0, 64], dtype=pl.DT_FP16)
