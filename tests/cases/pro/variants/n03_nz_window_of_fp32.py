# case: pro_n03_nz_window_of_fp32
# expect: ok
# arch: a5
# rule: of FP32 in steps of 8
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP32, pl.NZ],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 32], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Mat), addrs=0, mutex_ids=[0]).current()
    with pl.section_cube():
        pl.load(t, x, [0, 40])
