# case: pro_p03_bf16_by_keywords
# expect: ok
# arch: a5
# rule: BF16 makes FP32, by keywords
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    a = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_BF16, target_memory=pl.MemorySpace.Left), addrs=0, mutex_ids=[0]).current()
    b = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_BF16, target_memory=pl.MemorySpace.Right), addrs=0, mutex_ids=[1]).current()
    c = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc), addrs=0, mutex_ids=[2]).current()
    with pl.section_cube():
        pl.matmul(rhs_tile=b, lhs_tile=a, dst_tile=c)
