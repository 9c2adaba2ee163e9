# case: pro_rule_115_bad
# expect: reject pro-mx-scale-order line=13
# arch: a5
# rule: order must not name the phase axis
import pypto_pro.language as pl


@pl.jit
def kern(
    sa3d: pl.Tensor[[64, 2, 2], pl.DT_FP8E8M0],
):
    sa_zz = pl.make_tile_group(type=pl.TileType(shape=[64, 4], dtype=pl.DT_FP8E8M0, target_memory=pl.MemorySpace.Mat, layout=pl.ZZ), addrs=0x0, mutex_ids=[0]).current()
    pl.load(sa_zz, sa3d, [0, 0, 0], order=[1, 2])
