# case: scales_declared_nz
# expect: reject pro-mx-scale-gm line=13
# arch: a5
# rule: MX scales lie in global memory as plain ND
import pypto_pro.language as pl


@pl.jit
def kern0(
    s: pl.Tensor[[64, 2, 2], pl.DT_FP8E8M0, pl.NZ],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 4], dtype=pl.DT_FP8E8M0, target_memory=pl.MemorySpace.Mat, layout=pl.ZZ), addrs=0x0, mutex_ids=[0]).current()
    pl.load(t, s, [0, 0, 0])


@pl.jit
def kern1(
    s: pl.Tensor[[64, 2, 2], pl.DT_FP8E8M0],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 4], dtype=pl.DT_FP8E8M0, target_memory=pl.MemorySpace.Mat, layout=pl.ZZ), addrs=0x0, mutex_ids=[0]).current()
    pl.load(t, s, [0, 0, 0])
