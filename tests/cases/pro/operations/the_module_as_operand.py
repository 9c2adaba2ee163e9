# case: the_module_as_operand
# expect: reject pro-load-arg-order line=16
# also: error pro-offset-type line=24
# also: error pro-addr-static line=31
# also: error pro-tile-static line=38
# arch: a5
# rule: the bare name of the module, as a half-typed argument leaves it
import pypto_pro.language as pl


@pl.jit
def kern0(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[0]).current()
    pl.load(pl, x, [0, 0])


@pl.jit
def kern1(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[0]).current()
    pl.load(t, x, pl)


@pl.jit
def kern2(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile(pl.TileType(shape=[64, 64], dtype=pl.DT_FP16), addr=pl)


@pl.jit
def kern3(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, pl], dtype=pl.DT_FP16)
