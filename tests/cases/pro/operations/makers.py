# case: makers
# expect: reject pro-group-index line=23
# also: error pro-group-index line=32
# also: error pro-unknown-operation line=41
# also: error pro-mutex-range line=49
# also: error pro-mutex-range line=57
# also: error pro-arguments line=64
# also: error pro-arguments line=71
# also: error pro-arguments line=78
# also: error pro-tile-static line=85
# also: error pro-tile-static line=92
# arch: a5
# rule: what makes tiles is given other things
import pypto_pro.language as pl


@pl.jit
def kern0(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16)
    u = pl.make_tile_group(type=t, addrs=0, mutex_ids=[0])
    v = u[0:1]


@pl.jit
def kern1(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16)
    u = pl.make_tile_group(type=t, addrs=0, mutex_ids=[0])
    v = u['a']


@pl.jit
def kern2(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16)
    u = pl.make_tile_group(type=t, addrs=0, mutex_ids=[0])
    v = u.nxt()


@pl.jit
def kern3(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16)
    u = pl.make_tile_group(type=t, addrs=0, mutex_ids=3)


@pl.jit
def kern4(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16)
    u = pl.make_tile_group(type=t, addrs=0, mutex_ids=[0.5])


@pl.jit
def kern5(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    u = pl.make_tile_group(type=x, addrs=0, mutex_ids=[0])


@pl.jit
def kern6(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    u = pl.make_tile(64, addr=0)


@pl.jit
def kern7(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    u = pl.make_tile(pl.DT_FP16, addr=0)


@pl.jit
def kern8(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    u = pl.TileType(shape=64, dtype=pl.DT_FP16)


@pl.jit
def kern9(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    u = pl.TileType(shape=[], dtype=pl.DT_FP16)
