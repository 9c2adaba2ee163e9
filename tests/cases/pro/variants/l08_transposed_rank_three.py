# case: pro_l08_transposed_rank_three
# expect: ok
# arch: a5
# rule: [2, 1] turns the last two
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[2, 128, 64], pl.DT_BF16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 128], dtype=pl.DT_BF16, target_memory=pl.MemorySpace.Mat, layout=pl.ZN), addrs=0, mutex_ids=[0]).current()
    with pl.section_cube():
        pl.load(t, x, [1, 0, 0], order=[2, 1])
