# case: pro_rule_040_ok
# expect: ok
# arch: a5
# rule: make_tile needs addr
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    tt = pl.TileType(shape=[64, 128], dtype=pl.DT_FP16)
    pl.make_tile(tt, addr=0x0)
