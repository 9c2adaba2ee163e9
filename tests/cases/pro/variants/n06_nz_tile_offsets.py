# case: pro_n06_nz_tile_offsets
# expect: ok
# arch: a5
# rule: counted in tiles it does not
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16, pl.NZ],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 16], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0, mutex_ids=[0]).current()
    with pl.section_cube():
        for i in pl.range(8):
            pl.load_tile(t, x, [0, i])
