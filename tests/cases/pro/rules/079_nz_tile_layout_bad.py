# case: pro_rule_079_bad
# expect: reject pro-nz-tile-layout line=13
# arch: a5
# rule: … also not ZN
import pypto_pro.language as pl


@pl.jit
def kern(
    w: pl.Tensor[[64, 128], pl.DT_FP16, pl.NZ],
):
    mt = pl.make_tile_group(type=pl.TileType(shape=[128, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, layout=pl.ZN), addrs=0x10000, mutex_ids=[0]).current()
    pl.load(mt, w, [0, 0])
