# case: pro_rule_102_ok
# expect: ok
# arch: a5
# rule: dst Acc, lhs Left, rhs Right
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    l = pl.make_tile_group(type=pl.TileType(shape=[64, 128], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left), addrs=0x0, mutex_ids=[0]).current()
    r = pl.make_tile_group(type=pl.TileType(shape=[128, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right), addrs=0x0, mutex_ids=[1]).current()
    c = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc), addrs=0x0, mutex_ids=[2]).current()
    pl.matmul(c, l, r)
