# case: pro_vector_tiles
# expect: reject pro-vector-operands line=26
# arch: a5
# also: error pro-vector-operands line=27
# also: error pro-reduce-shape line=28
# also: error pro-reduce-shape line=29
# also: error pro-vector-space line=30
# rule: shapes, dtypes and memories of operations on whole tiles
import pypto_pro.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 128], pl.DT_FP32]):
    t = pl.TileType(shape=[64, 128], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    h = pl.TileType(shape=[64, 128], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec)
    s = pl.TileType(shape=[32, 128], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    r = pl.TileType(shape=[64, 1], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, layout=pl.DN)
    c = pl.TileType(shape=[64, 128], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc)
    a = pl.make_tile_group(type=t, addrs=0, mutex_ids=[0]).current()
    b = pl.make_tile_group(type=h, addrs=0x10000, mutex_ids=[1]).current()
    d = pl.make_tile_group(type=s, addrs=0x18000, mutex_ids=[2]).current()
    e = pl.make_tile_group(type=r, addrs=0x20000, mutex_ids=[3]).current()
    f = pl.make_tile_group(type=c, addrs=0x0, mutex_ids=[4]).current()
    with pl.section_vector():
        pl.load(a, x, [0, 0])
        pl.add(a, a, b)
        pl.exp(d, a)
        pl.sum(d, a, a)
        pl.expand_sub(a, a, d)
        pl.relu(a, f)
        pl.sum(e, a, a)
        pl.expand_sub(a, a, e, dim=0)
        pl.maximum(e, a, a, dim=0)
        pl.add(a, a, 1.0)
        pl.cast(b, a)
        pl.store(x, a, [0, 0])
