# case: pro_rule_030_bad
# expect: reject pro-tile-column line=12
# arch: a5
# rule: A one-column tile cannot be boxed
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 1], dtype=pl.DT_FP32, layout=pl.NZ)
