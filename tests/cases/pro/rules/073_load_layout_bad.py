# case: pro_rule_073_bad
# expect: reject pro-load-layout line=13
# arch: a5
# rule: Vec ND cannot be loaded transposed
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    v_t = pl.make_tile_group(type=pl.TileType(shape=[128, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x8000, mutex_ids=[0]).current()
    pl.load(v_t, x, [0, 0], order=[1, 0])
