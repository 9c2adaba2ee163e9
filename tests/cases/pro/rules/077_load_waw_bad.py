# case: pro_rule_077_bad
# expect: ok
# arch: a5
# rule: Two loads into one tile with no read or bar_mte2 in between
# warns: pro-load-waw line=16
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
    y: pl.Tensor[[64, 128], pl.DT_FP16],
):
    v = pl.make_tile_group(type=pl.TileType(shape=[64, 128], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[0]).current()
    pl.load(v, x, [0, 0])
    pl.load(v, y, [0, 0])
