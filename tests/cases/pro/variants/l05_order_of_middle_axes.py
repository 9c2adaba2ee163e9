# case: pro_l05_order_of_middle_axes
# expect: ok
# arch: a5
# rule: B, S, H, D: order picks S and D
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[2, 64, 4, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0, mutex_ids=[0]).current()
    with pl.section_vector():
        pl.load(t, x, [1, 0, 2, 0], order=[1, 3])
