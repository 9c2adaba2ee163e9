# case: pro_rule_090_bad
# expect: reject pro-acc-nz-cols line=13
# arch: a5
# rule: Acc → NZ: tile cols % 16 even if C0 is 8
import pypto_pro.language as pl


@pl.jit
def kern(
    o32: pl.Tensor[[64, 128], pl.DT_FP32, pl.NZ],
):
    c64x8 = pl.make_tile_group(type=pl.TileType(shape=[64, 8], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc), addrs=0x0, mutex_ids=[0]).current()
    pl.store(o32, c64x8, [0, 0])
