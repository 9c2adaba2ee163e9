# case: pro_scales_by_tiles
# expect: ok
# arch: a5
# rule: the axes of MX scales are those before the two groups of a pair
import pypto_pro.language as pl


@pl.jit
def kern(s: pl.Tensor[[64, 8, 2], pl.DT_FP8E8M0], t: pl.Tensor[[8, 64, 2], pl.DT_FP8E8M0]):
    zz = pl.TileType(shape=[64, 4], dtype=pl.DT_FP8E8M0, target_memory=pl.MemorySpace.Mat, layout=pl.ZZ)
    nn = pl.TileType(shape=[4, 64], dtype=pl.DT_FP8E8M0, target_memory=pl.MemorySpace.Mat, layout=pl.NN)
    a = pl.make_tile_group(type=zz, addrs=0, mutex_ids=[0]).current()
    b = pl.make_tile_group(type=nn, addrs=0x1000, mutex_ids=[1]).current()
    with pl.section_cube():
        pl.load_tile(a, s, [0, 3, 0])
        pl.load(b, t, [6, 0, 0])
