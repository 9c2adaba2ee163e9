# case: pro_l04_rank_four_offsets
# expect: reject pro-offset-rank line=13
# arch: a5
# rule: an offset for each axis
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[2, 4, 64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0, mutex_ids=[0]).current()
    pl.load(t, x, [0, 0, 0])
