# case: pro_rule_097_ok
# expect: ok
# arch: a5
# rule: Scale tile: Scaling, INT64, [1,N], N%16, N<=512
import pypto_pro.language as pl


@pl.jit
def kern(
    y8: pl.Tensor[[64, 128], pl.DT_INT8],
):
    c = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc), addrs=0x0, mutex_ids=[0]).current()
    fb64 = pl.make_tile_group(type=pl.TileType(shape=[1, 64], dtype=pl.DT_INT64, target_memory=pl.MemorySpace.Scaling), addrs=0x0, mutex_ids=[1]).current()
    pl.store(y8, c, [0, 0], scale=fb64)
