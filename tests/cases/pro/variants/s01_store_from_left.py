# case: pro_s01_store_from_left
# expect: reject pro-store-space line=13
# arch: a5
# rule: stores begin in UB or L0C
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left), addrs=0, mutex_ids=[0]).current()
    pl.store(x, t, [0, 0])
