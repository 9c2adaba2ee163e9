# case: pro_rule_057_ok
# expect: ok
# arch: a5
# rule: Two different live tiles share bytes of one space
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    a = pl.make_tile(pl.TileType(shape=[64, 64], dtype=pl.DT_FP16), addr=0x0)
    b = pl.make_tile(pl.TileType(shape=[64, 64], dtype=pl.DT_FP16), addr=0x2000)
