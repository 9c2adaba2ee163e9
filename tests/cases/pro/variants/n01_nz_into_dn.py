# case: pro_n01_nz_into_dn
# expect: reject pro-nz-tile-layout line=13
# arch: a5
# rule: NZ goes into NZ
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16, pl.NZ],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.DN), addrs=0, mutex_ids=[0]).current()
    pl.load(t, x, [0, 0])
