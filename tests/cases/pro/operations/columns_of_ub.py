# case: columns_of_ub
# expect: reject pro-load-layout line=14
# also: error pro-load-layout line=22
# arch: a5
# rule: DN tiles are columns
import pypto_pro.language as pl


@pl.jit
def kern0(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.DN), addrs=0x0, mutex_ids=[0]).current()
    pl.load(t, x, [0, 0])


@pl.jit
def kern1(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.DN), addrs=0x0, mutex_ids=[0]).current()
    pl.store(x, t, [0, 0])


@pl.jit
def kern2(
    c: pl.Tensor[[64, 1], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 1], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.DN), addrs=0x0, mutex_ids=[0]).current()
    pl.load(t, c, [0, 0])
    pl.store(c, t, [0, 0])
