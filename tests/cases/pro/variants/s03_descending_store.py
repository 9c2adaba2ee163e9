# case: pro_s03_descending_store
# expect: reject pro-store-order line=13
# arch: a5
# rule: stores do not turn
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[2, 64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0, mutex_ids=[0]).current()
    pl.store(x, t, [0, 0, 0], order=[2, 1])
