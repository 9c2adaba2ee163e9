# case: pro_a06_mutex_32_in_a_pair
# expect: reject pro-mutex-range line=12
# arch: a5
# rule: ids are 0..31, also in pairs
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    g = pl.make_tile_group(type=pl.TileType(shape=[16, 16], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0, mutex_ids=[(0, 1), (31, 32)])
