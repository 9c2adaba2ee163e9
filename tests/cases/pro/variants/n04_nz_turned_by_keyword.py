# case: pro_n04_nz_turned_by_keyword
# expect: reject pro-nz-order line=13
# arch: a5
# rule: NZ is not turned
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_BF16, pl.NZ],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_BF16, target_memory=pl.MemorySpace.Mat), addrs=0, mutex_ids=[0]).current()
    pl.load(dst_tile=t, src_tensor=x, offsets=[0, 0], order=[1, 0])
