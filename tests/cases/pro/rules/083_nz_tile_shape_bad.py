# case: pro_rule_083_bad
# expect: reject pro-nz-tile-shape line=13
# arch: a5
# rule: Tile cols % C0 (C0 of the tensor dtype)
import pypto_pro.language as pl


@pl.jit
def kern(
    w8: pl.Tensor[[64, 128], pl.DT_INT8, pl.NZ],
):
    vz8_48 = pl.make_tile_group(type=pl.TileType(shape=[32, 48], dtype=pl.DT_INT8, target_memory=pl.MemorySpace.Vec, layout=pl.NZ), addrs=0x0, mutex_ids=[0]).current()
    pl.load(vz8_48, w8, [0, 0])
