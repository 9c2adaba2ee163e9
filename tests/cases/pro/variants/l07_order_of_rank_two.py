# case: pro_l07_order_of_rank_two
# expect: ok
# warns: pro-order-rank3 line=14
# arch: a5
# rule: absolute axes: [1, 0] of a tensor of rank 4 are its batch axes
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[16, 16, 64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, layout=pl.ZN), addrs=0, mutex_ids=[0]).current()
    pl.load(t, x, [0, 0, 0, 0], order=[1, 0])
