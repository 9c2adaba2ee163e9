# case: pro_rule_054_ok
# expect: ok
# arch: a5
# rule: len(addrs) == depth
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    tt = pl.TileType(shape=[64, 128], dtype=pl.DT_FP16)
    pl.make_tile_group(type=tt, addrs=[0x0, 0x8000], mutex_ids=[0, 1])
