# case: pro_rule_058_ok
# expect: ok
# arch: a5
# rule: Destination in Vec or Mat
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    m = pl.make_tile_group(type=pl.TileType(shape=[64, 128], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[0]).current()
    pl.load(m, x, [0, 0])
