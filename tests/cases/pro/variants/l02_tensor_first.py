# case: pro_l02_tensor_first
# expect: reject pro-load-arg-order line=13
# arch: a5
# rule: the destination comes first
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0, mutex_ids=[0]).current()
    pl.load_tile(x, t, [0, 0])
