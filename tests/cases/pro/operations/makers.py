# case: makers
# expect: reject pro-group-index line=22
# also: error pro-group-index line=31
# also: error pro-unknown-operation line=40
# also: error pro-mutex-range line=48
# also: error pro-mutex-range line=56
# also: error pro-arguments line=63
# also: error pro-arguments line=70
# also: error pro-arguments line=77
# also: error pro-tile-static line=84
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
