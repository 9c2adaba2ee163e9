# case: pro_rule_047_ok
# expect: ok
# arch: a5
# rule: Last slot of a group within the space
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    pl.make_tile_group(type=pl.TileType(shape=[128, 128], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left), addrs=0x0, mutex_ids=[0, 1])
