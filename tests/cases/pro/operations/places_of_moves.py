# case: places_of_moves
# expect: reject pro-move-offset line=16
# also: error pro-insert line=44
# also: error pro-with-form line=52
# arch: a5
# rule: what a move takes out, and what an insert takes
import pypto_pro.language as pl


@pl.jit
def kern0(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    m = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[0]).current()
    l = pl.make_tile_group(type=pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left), addrs=0x0, mutex_ids=[1]).current()
    pl.move(l, m, [48, 0])


@pl.jit
def kern1(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    m = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[0]).current()
    l = pl.make_tile_group(type=pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left), addrs=0x0, mutex_ids=[1]).current()
    pl.move(l, m, [32, 0])


@pl.jit
def kern2(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    m = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[0]).current()
    l = pl.make_tile_group(type=pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left), addrs=0x0, mutex_ids=[1]).current()
    pl.set_validshape(l, [16, 64])
    pl.move(l, m, [48, 0])


@pl.jit
def kern3(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    m = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[0]).current()
    v = pl.make_tile_group(type=pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[1]).current()
    pl.insert(m, v, [0, 0])


@pl.jit
def kern4(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    with pl.section_vector():
        with pl.section_vector():
            pass
