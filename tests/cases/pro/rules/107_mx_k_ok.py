# case: pro_rule_107_ok
# expect: ok
# arch: a5
# rule: MX K multiple of 64
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    c = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc), addrs=0x0, mutex_ids=[0]).current()
    l64x128 = pl.make_tile_group(type=pl.TileType(shape=[64, 128], dtype=pl.DT_FP8E4M3FN, target_memory=pl.MemorySpace.Left), addrs=0x0, mutex_ids=[1]).current()
    r128x64 = pl.make_tile_group(type=pl.TileType(shape=[128, 64], dtype=pl.DT_FP8E4M3FN, target_memory=pl.MemorySpace.Right), addrs=0x0, mutex_ids=[2]).current()
    sl = pl.make_tile_group(type=pl.TileType(shape=[64, 4], dtype=pl.DT_FP8E8M0, target_memory=pl.MemorySpace.ScaleLeft), addrs=0x0, mutex_ids=[3]).current()
    sr = pl.make_tile_group(type=pl.TileType(shape=[4, 64], dtype=pl.DT_FP8E8M0, target_memory=pl.MemorySpace.ScaleRight), addrs=0x0, mutex_ids=[4]).current()
    pl.matmul_mx(c, l64x128, r128x64, sl, sr)
