# case: pro_builders_and_sections
# expect: reject pro-addr-align line=19
# arch: a5
# kernels: 2
# also: error pro-tile-align line=18
# also: error pro-move-path line=23
# rule: a builder makes one kernel for each call; a fault outside of the sections is told once, one inside is found for its core
import pypto_pro.language as pl


def build(rows):
    @pl.jit
    def kern(x: pl.Tensor[[rows, 64], pl.DT_FP16], out: pl.Tensor[[rows, 64], pl.DT_FP16]):
        tt = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16)
        left = pl.make_tile_group(
            type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left), addrs=0x0, mutex_ids=[0]
        )
        mat = pl.TileType(shape=[rows, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
        odd = pl.make_tile(tt, addr=0x10)
        ub = pl.make_tile_group(type=tt, addrs=0x0, mutex_ids=[1])
        l1 = pl.make_tile_group(type=mat, addrs=0x0, mutex_ids=[2])
        with pl.section_cube():
            pl.move(left.current(), ub.current())
        with pl.section_vector():
            pl.load(ub.current(), x, [0, 0])
            pl.store(out, ub.current(), [0, 0])

    return kern


small = build(24)
large = build(64)
