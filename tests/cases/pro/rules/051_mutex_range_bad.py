# case: pro_rule_051_bad
# expect: reject pro-mutex-range line=13
# arch: a5
# rule: mutex ids 0..31
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    tt = pl.TileType(shape=[64, 128], dtype=pl.DT_FP16)
    pl.make_tile_group(type=tt, addrs=0x0, mutex_ids=[31, 32])
