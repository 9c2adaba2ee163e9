# case: pro_a01_right_at_256
# expect: reject pro-addr-align line=15
# arch: a5
# rule: L0B counts in 512 bytes
import pypto_pro.language as pl


OFF = 0x80 * 2


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile(pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right), addr=OFF)
