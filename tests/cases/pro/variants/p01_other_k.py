# case: pro_p01_other_k
# expect: reject pro-matmul-shape line=15
# arch: a5
# rule: K of both agree
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    a = pl.make_tile_group(type=pl.TileType(shape=[64, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left), addrs=0, mutex_ids=[0]).current()
    b = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right), addrs=0, mutex_ids=[1]).current()
    c = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc), addrs=0, mutex_ids=[2]).current()
    pl.matmul(c, a, b)
