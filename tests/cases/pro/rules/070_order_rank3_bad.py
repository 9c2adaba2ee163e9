# case: pro_rule_070_bad
# expect: ok
# arch: a5
# rule: order=[1,0] on rank >= 3 picks the first two axes
# warns: pro-order-rank3 line=14
import pypto_pro.language as pl


@pl.jit
def kern(
    x3: pl.Tensor[[4, 64, 128], pl.DT_FP16],
):
    mt3 = pl.make_tile_group(type=pl.TileType(shape=[64, 16], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, layout=pl.ZN), addrs=0x10000, mutex_ids=[0]).current()
    pl.load(mt3, x3, [0, 0, 0], order=[1, 0])
