# case: pro_rule_062_bad
# expect: reject pro-offset-rank line=13
# arch: a5
# rule: One offset per tensor axis
import pypto_pro.language as pl


@pl.jit
def kern(
    x3: pl.Tensor[[4, 64, 128], pl.DT_FP16],
):
    v = pl.make_tile_group(type=pl.TileType(shape=[64, 128], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[0]).current()
    pl.load(v, x3, [0, 0])
