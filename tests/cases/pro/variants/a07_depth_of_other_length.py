# case: pro_a07_depth_of_other_length
# expect: reject pro-depth-mismatch line=12
# arch: a5
# rule: depth and mutex_ids agree
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    g = pl.make_tile_group(type=pl.TileType(shape=[16, 16], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0, mutex_ids=list(range(3)), depth=2)
