# case: pro_rule_058_bad
# expect: reject pro-load-space line=13
# arch: a5
# rule: Destination in Vec or Mat
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    l = pl.make_tile_group(type=pl.TileType(shape=[64, 128], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left), addrs=0x0, mutex_ids=[0]).current()
    pl.load(l, x, [0, 0])
