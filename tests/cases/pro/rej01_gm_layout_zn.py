# case: rej01_gm_layout_zn
# expect: reject tensor-layout line=9
# arch: a5
import pypto_pro.language as pl


@pl.jit(arch="a5", auto_mutex=True)
def bad(
    a: pl.Tensor[[64, 64], pl.DT_FP16, pl.ZN],
    out: pl.Tensor[[64, 64], pl.DT_FP16],
):
    tt = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec)
    ub = pl.make_tile_group(type=tt, addrs=0x0, mutex_ids=[0])
    with pl.section_vector():
        cur = ub.current()
        pl.load(cur, a, [0, 0])
        pl.store(out, cur, [0, 0])
