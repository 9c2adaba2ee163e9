# case: pro_rule_036_ok
# expect: ok
# arch: a5
# rule: pad is TilePad or 0..3
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, pad=pl.TilePad.zero)
