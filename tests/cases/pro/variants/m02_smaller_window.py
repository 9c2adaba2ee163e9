# case: pro_m02_smaller_window
# expect: ok
# arch: a5
# rule: a part of L1 into L0A
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    a = pl.make_tile_group(type=pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left), addrs=0, mutex_ids=[0]).current()
    b = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0, mutex_ids=[1]).current()
    with pl.section_cube():
        pl.load(b, x, [0, 0])
        pl.move(a, b, offset=[32, 0])
