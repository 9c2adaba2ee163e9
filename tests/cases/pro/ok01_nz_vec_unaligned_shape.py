# case: ok01_nz_vec_unaligned_shape
# expect: ok
# arch: a5
# NZ storage of a [37, 90] FP16 tensor is padded to 48 x 96; the window ends inside the padding.
import pypto_pro.language as pl


@pl.jit(arch="a5", auto_mutex=True)
def copy_tail(
    src: pl.Tensor[[37, 90], pl.DT_FP16, pl.NZ],
    dst: pl.Tensor[[37, 90], pl.DT_FP16, pl.NZ],
):
    tt = pl.TileType(shape=[16, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ)
    ub = pl.make_tile_group(type=tt, addrs=0x0, mutex_ids=[0])
    with pl.section_vector():
        cur = ub.current()
        pl.load(cur, src, [32, 64])
        pl.store(dst, cur, [32, 64])
