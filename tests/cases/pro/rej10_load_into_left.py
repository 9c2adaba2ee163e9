# case: rej10_load_into_left
# expect: reject load-space line=13
# arch: a5
import pypto_pro.language as pl


@pl.jit(arch="a5", auto_mutex=True)
def bad(a: pl.Tensor[[64, 64], pl.DT_FP16]):
    l_t = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left)
    left = pl.make_tile_group(type=l_t, addrs=0x0, mutex_ids=[0])
    with pl.section_cube():
        lt = left.current()
        pl.load(lt, a, [0, 0])
