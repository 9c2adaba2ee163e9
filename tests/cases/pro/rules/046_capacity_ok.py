# case: pro_rule_046_ok
# expect: ok
# arch: a5
# rule: addr + footprint within the space
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    pl.make_tile(pl.TileType(shape=[64, 512], dtype=pl.DT_FP32), addr=0x10000)
