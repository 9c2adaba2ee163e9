# case: pro_a05_group_that_fills_l0a
# expect: ok
# arch: a5
# rule: two of them fill it
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    g = pl.make_tile_group(type=pl.TileType(shape=[128, 128], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left), addrs=0, mutex_ids=[0, 1])
