# case: pro_rule_061_bad
# expect: reject pro-offset-missing line=13
# arch: a5
# rule: offsets is required
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    m = pl.make_tile_group(type=pl.TileType(shape=[64, 128], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[0]).current()
    pl.load(m, x)
