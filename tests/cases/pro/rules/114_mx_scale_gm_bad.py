# case: pro_rule_114_bad
# expect: reject pro-mx-scale-gm line=13
# arch: a5
# rule: GM scale tensor: rank >= 3, last axis statically 2
import pypto_pro.language as pl


@pl.jit
def kern(
    sa2d: pl.Tensor[[64, 4], pl.DT_FP8E8M0],
):
    sa_zz = pl.make_tile_group(type=pl.TileType(shape=[64, 4], dtype=pl.DT_FP8E8M0, target_memory=pl.MemorySpace.Mat, layout=pl.ZZ), addrs=0x0, mutex_ids=[0]).current()
    pl.load(sa_zz, sa2d, [0, 0])
