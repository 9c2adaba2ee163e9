# case: pro_l09_zn_without_order_by_helper
# expect: reject pro-load-layout line=9
# arch: a5
# rule: the same in a helper
import pypto_pro.language as pl


def fetch(tile, tensor):
    pl.load(tile, tensor, [0, 0])


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, layout=pl.ZN), addrs=0, mutex_ids=[0]).current()
    fetch(t, x)
