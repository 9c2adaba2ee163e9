# case: pro_rule_038_ok
# expect: ok
# arch: a5
# rule: TileType is read from keywords only
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16)
