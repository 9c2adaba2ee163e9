# case: pro_rule_055_bad
# expect: reject pro-mutex-dup line=13
# arch: a5
# rule: No duplicate id inside one tile
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    tt = pl.TileType(shape=[64, 128], dtype=pl.DT_FP16)
    pl.make_tile_group(type=tt, addrs=0x0, mutex_ids=[[1, 1]])
