# case: pro_rule_101_ok
# expect: ok
# arch: a5
# rule: Tile scale excludes dual modes
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    vv = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[0]).current()
    c = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc), addrs=0x0, mutex_ids=[1]).current()
    fb64 = pl.make_tile_group(type=pl.TileType(shape=[1, 64], dtype=pl.DT_INT64, target_memory=pl.MemorySpace.Scaling), addrs=0x0, mutex_ids=[2]).current()
    pl.move(vv, c, scale=fb64, acc_to_vec_mode=pl.AccToVecMode.SingleModeVec0)
