# case: pro_rule_082_ok
# expect: ok
# arch: a5
# rule: Tile rows % 16 in an NZ transfer
import pypto_pro.language as pl


@pl.jit
def kern(
    w: pl.Tensor[[64, 128], pl.DT_FP16, pl.NZ],
):
    vz32 = pl.make_tile_group(type=pl.TileType(shape=[32, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ), addrs=0x0, mutex_ids=[0]).current()
    pl.load(vz32, w, [0, 0])
