# case: pro_rule_086_bad
# expect: reject pro-nz-offset line=13
# arch: a5
# rule: FP4: C0 is 64
import pypto_pro.language as pl


@pl.jit
def kern(
    w4: pl.Tensor[[64, 128], pl.DT_FP4E2M1, pl.NZ],
):
    m4 = pl.make_tile_group(type=pl.TileType(shape=[32, 64], dtype=pl.DT_FP4E2M1, target_memory=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[0]).current()
    pl.load(m4, w4, [0, 32])
