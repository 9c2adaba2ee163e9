# case: pro_rule_075_ok
# expect: ok
# arch: a5
# rule: Tile and tensor dtype agree
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    v = pl.make_tile_group(type=pl.TileType(shape=[64, 128], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[0]).current()
    pl.load(v, x, [0, 0])
