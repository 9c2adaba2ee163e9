# case: rej04_nz_into_nd_tile
# expect: reject nz-tile-layout line=16
# arch: a5
import pypto_pro.language as pl


@pl.jit(arch="a5", auto_mutex=True)
def bad(
    w: pl.Tensor[[64, 64], pl.DT_FP16, pl.NZ],
    out: pl.Tensor[[64, 64], pl.DT_FP16],
):
    tt = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.ND)
    ub = pl.make_tile_group(type=tt, addrs=0x0, mutex_ids=[0])
    with pl.section_vector():
        cur = ub.current()
        pl.load(cur, w, [0, 0])
        pl.store(out, cur, [0, 0])
