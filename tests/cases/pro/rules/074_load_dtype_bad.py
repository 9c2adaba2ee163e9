# case: pro_rule_074_bad
# expect: reject pro-load-dtype line=13
# arch: a5
# rule: dtype among the 17
import pypto_pro.language as pl


@pl.jit
def kern(
    xb: pl.Tensor[[64, 128], pl.DT_BOOL],
):
    b = pl.make_tile(pl.TileType(shape=[64, 64], dtype=pl.DT_BOOL), addr=0)
    pl.load(b, xb, [0, 0])
