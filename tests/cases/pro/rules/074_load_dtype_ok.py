# case: pro_rule_074_ok
# expect: ok
# arch: a5
# rule: dtype among the 17
import pypto_pro.language as pl


@pl.jit
def kern(
    xu8: pl.Tensor[[64, 128], pl.DT_UINT8],
):
    b = pl.make_tile(pl.TileType(shape=[64, 64], dtype=pl.DT_UINT8), addr=0)
    pl.load(b, xu8, [0, 0])
