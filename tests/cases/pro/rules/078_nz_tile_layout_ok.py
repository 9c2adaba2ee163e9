# case: pro_rule_078_ok
# expect: ok
# arch: a5
# rule: NZ tensor needs an NZ tile
import pypto_pro.language as pl


@pl.jit
def kern(
    w: pl.Tensor[[64, 128], pl.DT_FP16, pl.NZ],
):
    vz = pl.make_tile_group(type=pl.TileType(shape=[64, 128], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ), addrs=0x0, mutex_ids=[0]).current()
    pl.load(vz, w, [0, 0])
