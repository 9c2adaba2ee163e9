# case: pro_rule_025_bad
# expect: reject pro-tile-align line=12
# arch: a5
# rule: ND tile row must be a multiple of 32 bytes
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 10], dtype=pl.DT_FP16)
