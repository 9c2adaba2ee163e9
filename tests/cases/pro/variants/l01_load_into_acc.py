# case: pro_l01_load_into_acc
# expect: reject pro-load-space line=13
# arch: a5
# rule: loads end in UB or L1
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc), addrs=0, mutex_ids=[0]).current()
    pl.load(t, x, [0, 0])
