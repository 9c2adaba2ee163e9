# case: pro_rule_095_ok
# expect: ok
# arch: a5
# rule: Acc FP32 → INT8 without scale
import pypto_pro.language as pl


@pl.jit
def kern(
    y8: pl.Tensor[[64, 128], pl.DT_INT8],
):
    c = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc), addrs=0x0, mutex_ids=[0]).current()
    pl.store(y8, c, [0, 0], scale=0.5)
