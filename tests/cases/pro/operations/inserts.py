# case: inserts
# expect: reject pro-insert line=27
# also: error pro-insert line=37
# also: error pro-insert line=56
# also: error pro-insert line=65
# also: error pro-insert line=74
# arch: a5
# rule: where an insert may place its source
import pypto_pro.language as pl


@pl.jit
def kern0(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    m = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[0]).current()
    v = pl.make_tile_group(type=pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ), addrs=0x0, mutex_ids=[1]).current()
    pl.insert(m, v, [32, 0])


@pl.jit
def kern1(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    m = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[0]).current()
    v = pl.make_tile_group(type=pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ), addrs=0x0, mutex_ids=[1]).current()
    pl.insert(m, v, [48, 0])


@pl.jit
def kern2(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    m = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[0]).current()
    v = pl.make_tile_group(type=pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ), addrs=0x0, mutex_ids=[1]).current()
    for i in pl.range(3):
        pl.insert(m, v, [i * 32, 0])


@pl.jit
def kern3(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    m = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[0]).current()
    v = pl.make_tile_group(type=pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ), addrs=0x0, mutex_ids=[1]).current()
    for i in pl.range(2):
        pl.insert(m, v, [i * 32, 0])


@pl.jit
def kern4(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    m = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[0]).current()
    v = pl.make_tile_group(type=pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ), addrs=0x0, mutex_ids=[1]).current()
    pl.insert(m, v, [-32, 0])


@pl.jit
def kern5(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    m = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[0]).current()
    w = pl.make_tile_group(type=pl.TileType(shape=[128, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ), addrs=0x0, mutex_ids=[1]).current()
    pl.insert(m, w, [0, 0])


@pl.jit
def kern6(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    m = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[0]).current()
    v = pl.make_tile_group(type=pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ), addrs=0x0, mutex_ids=[1]).current()
    pl.insert(m, v, [0, 0])
