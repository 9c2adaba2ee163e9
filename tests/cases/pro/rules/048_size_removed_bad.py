# case: pro_rule_048_bad
# expect: ok
# arch: a5
# rule: size= was removed in Sept 2026
# warns: pro-size-removed line=14
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    tt = pl.TileType(shape=[64, 128], dtype=pl.DT_FP16)
    pl.make_tile(tt, addr=0, size=8192)
