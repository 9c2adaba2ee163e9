# case: names_of_the_other_dialect
# expect: reject pro-unknown-name line=15
# also: error pro-unknown-name line=22
# also: error pro-unknown-name line=30
# arch: a5
# rule: what pypto.language has is none of pypto_pro
import pypto.language as pypto
import pypto_pro.language as pl


@pl.jit
def kern0(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pypto.FP16), addrs=0x0, mutex_ids=[0]).current()


@pl.jit
def kern1(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, layout=pypto.NZ), addrs=0x0, mutex_ids=[0]).current()


@pl.jit
def kern2(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[0]).current()
    pypto.load(t, x, [0])
