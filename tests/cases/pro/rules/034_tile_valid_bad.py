# case: pro_rule_034_bad
# expect: reject pro-tile-valid line=12
# arch: a5
# rule: valid_shape entries are -1 or 1..dim
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, valid_shape=[65, 64])
