# case: pro_rule_068_bad
# expect: reject pro-order-length line=13
# arch: a5
# rule: order has two entries
import pypto_pro.language as pl


@pl.jit
def kern(
    x3: pl.Tensor[[4, 64, 128], pl.DT_FP16],
):
    v = pl.make_tile_group(type=pl.TileType(shape=[64, 128], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[0]).current()
    pl.load(v, x3, [0, 0, 0], order=[0, 1, 2])
