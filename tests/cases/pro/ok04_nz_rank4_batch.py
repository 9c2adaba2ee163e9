# case: ok04_nz_rank4_batch
# expect: ok
# arch: a5
# Leading axes of an NZ tensor are batch axes: one index each, then (M, N) element offsets.
import pypto_pro.language as pl


@pl.jit(arch="a5", auto_mutex=True)
def per_head(
    src: pl.Tensor[[2, 3, 64, 128], pl.DT_INT8, pl.NZ],
    dst: pl.Tensor[[2, 3, 64, 128], pl.DT_INT8, pl.NZ],
):
    tt = pl.TileType(shape=[64, 64], dtype=pl.DT_INT8, target_memory=pl.MemorySpace.Vec, layout=pl.NZ)
    ub = pl.make_tile_group(type=tt, addrs=0x0, mutex_ids=[0, 1])
    with pl.section_vector():
        for b in pl.range(2):
            for h in pl.range(3):
                cur = ub.next()
                pl.load(cur, src, [b, h, 0, 64])
                pl.store(dst, cur, [b, h, 0, 64])
