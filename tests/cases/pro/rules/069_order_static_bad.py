# case: pro_rule_069_bad
# expect: reject pro-order-static line=14
# arch: a5
# rule: order is a compile-time list
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
    i: pl.DT_INT64,
):
    v = pl.make_tile_group(type=pl.TileType(shape=[64, 128], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[0]).current()
    pl.load(v, x, [0, 0], order=[i, 1])
