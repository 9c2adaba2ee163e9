# case: changing_parts_of_nz
# expect: reject pro-nz-valid line=16
# also: error pro-nz-valid line=26
# arch: a5
# rule: the part in use of a transfer with an NZ tensor, in the worst round
import pypto_pro.language as pl


@pl.jit
def kern0(
    w: pl.Tensor[[256, 256], pl.DT_FP16, pl.NZ],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ), addrs=0x0, mutex_ids=[0]).current()
    for i in pl.range(1, 5):
        pl.set_validshape(t, [i * 8, 64])
        pl.load(t, w, [0, 0])


@pl.jit
def kern1(
    w: pl.Tensor[[256, 256], pl.DT_FP16, pl.NZ],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ), addrs=0x0, mutex_ids=[0]).current()
    for i in pl.range(1, 5):
        pl.set_validshape(t, [64, i * 8])
        pl.load(t, w, [0, 0])


@pl.jit
def kern2(
    w: pl.Tensor[[256, 256], pl.DT_FP16, pl.NZ],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ), addrs=0x0, mutex_ids=[0]).current()
    for i in pl.range(1, 5):
        pl.set_validshape(t, [i * 16, 64])
        pl.load(t, w, [0, 0])


@pl.jit
def kern3(
    w: pl.Tensor[[256, 256], pl.DT_FP16, pl.NZ],
    n: pl.DT_INT64,
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ), addrs=0x0, mutex_ids=[0]).current()
    pl.set_validshape(t, [n * 8, 64])
    pl.load(t, w, [0, 0])
