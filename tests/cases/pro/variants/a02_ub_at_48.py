# case: pro_a02_ub_at_48
# expect: reject pro-addr-align line=12
# arch: a5
# rule: UB counts in 32 bytes
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile(pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addr=48)
