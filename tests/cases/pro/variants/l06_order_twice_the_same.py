# case: pro_l06_order_twice_the_same
# expect: reject pro-order-unique line=13
# arch: a5
# rule: two different axes
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[2, 64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0, mutex_ids=[0]).current()
    pl.load(t, x, [0, 0, 0], order=[2, 2])
