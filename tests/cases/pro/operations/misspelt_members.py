# case: misspelt_members
# expect: reject pro-unknown-name line=22
# also: error pro-unknown-name line=30
# also: error pro-enum-int line=38
# also: error pro-enum-int line=45
# also: error pro-tile-pad line=52
# also: error pro-unknown-name line=61
# also: error pro-enum-int line=69
# also: error pro-unknown-name line=77
# also: error pro-unknown-name line=78
# arch: a5
# rule: members of enumerations, and what is of none
import pypto_pro.language as pl

CHOSEN = True


@pl.jit
def kern0(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Matt), addrs=0x0, mutex_ids=[0]).current()
    pl.load(t, x, [0, 0])


@pl.jit
def kern1(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, layout=pl.NZZ), addrs=0x0, mutex_ids=[0]).current()
    pl.load(t, x, [0, 0])


@pl.jit
def kern2(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, layout='NZ'), addrs=0x0, mutex_ids=[0]).current()


@pl.jit
def kern3(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, layout=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[0]).current()


@pl.jit
def kern4(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, pad='zero'), addrs=0x0, mutex_ids=[0]).current()


@pl.jit
def kern5(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[0]).current()
    pl.load(t, x, [0, 0])
    pl.system.sync_src(set_pipe=pl.PipeType.FIXX, wait_pipe=pl.PipeType.V, event_id=0)


@pl.jit
def kern6(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[0]).current()
    pl.store(x, t, [0, 0], atomic=pl.ReluPreMode.NormalRelu)


@pl.jit
def kern7(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[0]).current()
    pl.load(t, xx, [0, 0])
    u = nothing(3)


@pl.jit
def kern8(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    if CHOSEN:
        size = 32
    else:
        size = 64
    t = pl.make_tile_group(type=pl.TileType(shape=[size, 64], dtype=pl.DT_FP16), addrs=0x0, mutex_ids=[0]).current()
    pl.load(t, x, [0, 0])
