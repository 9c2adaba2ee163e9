# case: rej07_nz_fp4_col_offset
# expect: reject nz-offset line=17
# arch: a5
# 32 would be a whole C0 for 8-bit data; FP4 needs multiples of 64.
import pypto_pro.language as pl


@pl.jit(arch="a5", auto_mutex=True)
def bad(w: pl.Tensor[[64, 192], pl.DT_FP4E1M2, pl.NZ]):
    m_t = pl.TileType(shape=[32, 64], dtype=pl.DT_FP4E1M2, target_memory=pl.MemorySpace.Mat)
    l_t = pl.TileType(shape=[32, 64], dtype=pl.DT_FP4E1M2, target_memory=pl.MemorySpace.Left)
    l1 = pl.make_tile_group(type=m_t, addrs=0x0, mutex_ids=[0])
    left = pl.make_tile_group(type=l_t, addrs=0x0, mutex_ids=[1])
    with pl.section_cube():
        m = l1.current()
        lt = left.current()
        pl.load(m, w, [0, 32])
        pl.move(lt, m)
