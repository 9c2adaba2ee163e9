# case: pro_g04_ub_load_in_a_cube_helper
# expect: ok
# warns: pro-section-space line=10
# arch: a5
# rule: a helper that a cube section calls
import pypto_pro.language as pl


def fetch(tile, tensor):
    pl.load(tile, tensor, [0, 0])


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0, mutex_ids=[0]).current()
    with pl.section_cube():
        fetch(t, x)
