# case: pro_l10_other_width
# expect: reject pro-load-dtype line=13
# arch: a5
# rule: FP32 tile of a FP16 tensor
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec), addrs=0, mutex_ids=[0]).current()
    pl.load(t, x, [0, 0])
