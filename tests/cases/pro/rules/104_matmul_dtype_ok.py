# case: pro_rule_104_ok
# expect: ok
# arch: a5
# rule: Operand/accumulator dtypes
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    c_i32 = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_INT32, target_memory=pl.MemorySpace.Acc), addrs=0x0, mutex_ids=[0]).current()
    l_i8 = pl.make_tile_group(type=pl.TileType(shape=[64, 128], dtype=pl.DT_INT8, target_memory=pl.MemorySpace.Left), addrs=0x0, mutex_ids=[1]).current()
    r_i8 = pl.make_tile_group(type=pl.TileType(shape=[128, 64], dtype=pl.DT_INT8, target_memory=pl.MemorySpace.Right), addrs=0x0, mutex_ids=[2]).current()
    pl.matmul(c_i32, l_i8, r_i8)
