# case: transfers_of_other_things
# expect: reject pro-offset-type line=27
# also: error pro-offset-type line=35
# also: error pro-offset-type line=43
# also: error pro-offset-type line=51
# also: error pro-load-result line=59
# also: error pro-load-result line=67
# also: error pro-store-dtype line=75
# also: error pro-atomic-dtype line=83
# also: error pro-move-dtype line=93
# also: error pro-move-dtype line=102
# also: error pro-move-offset line=120
# also: error pro-move-offset line=129
# also: error pro-move-offset line=139
# also: error pro-store-relu line=148
# also: error pro-scale-tensor line=157
# arch: a5
# rule: offsets, dtypes and results of load, store and move
import pypto_pro.language as pl


@pl.jit
def kern0(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[0]).current()
    pl.load(t, x, [0.5, 0])


@pl.jit
def kern1(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[0]).current()
    pl.load(t, x, ['a', 0])


@pl.jit
def kern2(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[0]).current()
    pl.load(t, x, [x, 0])


@pl.jit
def kern3(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[0]).current()
    pl.load(t, x, 0)


@pl.jit
def kern4(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[0]).current()
    pl.store(x, pl.load(t, x, [0, 0]), [0, 0])


@pl.jit
def kern5(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[0]).current()
    u = pl.store(x, t, [0, 0])


@pl.jit
def kern6(
    b: pl.Tensor[[64, 64], pl.DT_HF4],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_HF4, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[0]).current()
    pl.store(b, t, [0, 0])


@pl.jit
def kern7(
    b: pl.Tensor[[64, 64], pl.DT_UINT32],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_UINT32, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[0]).current()
    pl.store(b, t, [0, 0], atomic=pl.AtomicType.AtomicAdd)


@pl.jit
def kern8(
    f: pl.Tensor[[64, 64], pl.DT_FP32],
):
    m = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[0]).current()
    l = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left), addrs=0x0, mutex_ids=[1]).current()
    pl.load(m, f, [0, 0])
    pl.move(l, m)


@pl.jit
def kern9(
    f: pl.Tensor[[64, 64], pl.DT_FP32],
):
    a = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_INT32, target_memory=pl.MemorySpace.Acc), addrs=0x0, mutex_ids=[0]).current()
    v = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[1]).current()
    pl.move(v, a)


@pl.jit
def kern10(
    f: pl.Tensor[[64, 64], pl.DT_FP32],
):
    a = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc), addrs=0x0, mutex_ids=[0]).current()
    v = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[1]).current()
    pl.move(v, a)


@pl.jit
def kern11(
    f: pl.Tensor[[64, 64], pl.DT_FP32],
):
    m = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[0]).current()
    l = pl.make_tile_group(type=pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left), addrs=0x0, mutex_ids=[1]).current()
    pl.move(l, m, [-16, 0])


@pl.jit
def kern12(
    f: pl.Tensor[[64, 64], pl.DT_FP32],
):
    m = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[0]).current()
    l = pl.make_tile_group(type=pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left), addrs=0x0, mutex_ids=[1]).current()
    pl.move(l, m, [0, 0, 0])


@pl.jit
def kern13(
    f: pl.Tensor[[64, 64], pl.DT_FP32],
):
    m = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[0]).current()
    l = pl.make_tile_group(type=pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left), addrs=0x0, mutex_ids=[1]).current()
    for i in pl.range(4):
        pl.move(l, m, [i * 16 - 32, 0])


@pl.jit
def kern14(
    f: pl.Tensor[[64, 64], pl.DT_FP32],
):
    m = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[0]).current()
    l = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left), addrs=0x0, mutex_ids=[1]).current()
    pl.move(l, m, relu_pre_mode=pl.ReluPreMode.NormalRelu)


@pl.jit
def kern15(
    f: pl.Tensor[[64, 64], pl.DT_FP32],
):
    a = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc), addrs=0x0, mutex_ids=[0]).current()
    v = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[1]).current()
    pl.move(v, a, scale=f)
