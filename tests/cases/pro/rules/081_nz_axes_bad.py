# case: pro_rule_081_bad
# expect: reject pro-nz-axes line=13
# arch: a5
# rule: NZ transfers use the last two axes
import pypto_pro.language as pl


@pl.jit
def kern(
    w3: pl.Tensor[[4, 64, 128], pl.DT_FP16, pl.NZ],
):
    m = pl.make_tile_group(type=pl.TileType(shape=[64, 128], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[0]).current()
    pl.load(m, w3, [0, 0, 0], order=[0, 2])
