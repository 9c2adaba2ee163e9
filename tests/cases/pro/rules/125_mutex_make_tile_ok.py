# case: pro_rule_125_ok
# expect: ok
# arch: a5
# rule: auto_mutex does not protect make_tile tiles
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
    y: pl.Tensor[[64, 128], pl.DT_FP16],
):
    tt = pl.TileType(shape=[64, 128], dtype=pl.DT_FP16)
    t = pl.make_tile_group(type=tt, addrs=0x0, mutex_ids=[0]).current()
    pl.load(t, x, [0, 0])
    pl.store(y, t, [0, 0])
