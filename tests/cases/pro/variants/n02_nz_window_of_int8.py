# case: pro_n02_nz_window_of_int8
# expect: reject pro-nz-offset line=13
# arch: a5
# rule: columns of INT8 in steps of 32
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_INT8, pl.NZ],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 32], dtype=pl.DT_INT8, target_memory=pl.MemorySpace.Mat), addrs=0, mutex_ids=[0]).current()
    pl.load(t, x, [0, 48])
