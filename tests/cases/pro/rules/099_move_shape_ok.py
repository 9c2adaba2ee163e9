# case: pro_rule_099_ok
# expect: ok
# arch: a5
# rule: Equal shapes without offset
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    m = pl.make_tile_group(type=pl.TileType(shape=[64, 128], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[0]).current()
    l = pl.make_tile_group(type=pl.TileType(shape=[64, 128], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left), addrs=0x0, mutex_ids=[1]).current()
    pl.move(l, m)
