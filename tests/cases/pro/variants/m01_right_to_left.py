# case: pro_m01_right_to_left
# expect: reject pro-move-path line=14
# arch: a5
# rule: no path from L0B to L0A
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    a = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left), addrs=0, mutex_ids=[0]).current()
    b = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right), addrs=0, mutex_ids=[1]).current()
    pl.move(a, b)
