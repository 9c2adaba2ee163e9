# case: pro_rule_049_bad
# expect: reject pro-group-keyword line=13
# arch: a5
# rule: make_tile_group takes keywords only
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    tt = pl.TileType(shape=[64, 128], dtype=pl.DT_FP16)
    pl.make_tile_group(tt, 0x0)
