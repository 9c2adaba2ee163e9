# case: pro_n05_nz_window_in_a_loop
# expect: reject pro-nz-offset line=15
# arch: a5
# rule: the second round starts inside a box
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16, pl.NZ],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 16], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0, mutex_ids=[0]).current()
    with pl.section_cube():
        for i in pl.range(4):
            pl.load(t, x, [0, i * 8])
