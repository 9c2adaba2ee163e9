# case: pro_rule_089_ok
# expect: ok
# arch: a5
# rule: Acc → NZ: full align(M,16) rows or one C0 block
import pypto_pro.language as pl


@pl.jit
def kern(
    w: pl.Tensor[[64, 128], pl.DT_FP16, pl.NZ],
):
    c16x16 = pl.make_tile_group(type=pl.TileType(shape=[16, 16], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc), addrs=0x0, mutex_ids=[0]).current()
    pl.store(w, c16x16, [16, 32])
