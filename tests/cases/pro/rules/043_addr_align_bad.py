# case: pro_rule_043_bad
# expect: reject pro-addr-align line=12
# arch: a5
# rule: Address multiple of 32/32/512/512/64 (Vec/Mat/Left/Right/Acc)
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    pl.make_tile(pl.TileType(shape=[32, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left), addr=0x100)
