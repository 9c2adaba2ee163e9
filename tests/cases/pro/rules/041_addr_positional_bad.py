# case: pro_rule_041_bad
# expect: reject pro-addr-positional line=13
# arch: a5
# rule: addr is keyword only
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    tt = pl.TileType(shape=[64, 128], dtype=pl.DT_FP16)
    pl.make_tile(tt, 0x0)
