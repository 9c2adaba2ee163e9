# case: pro_rule_039_bad
# expect: reject pro-tile-subbyte line=12
# arch: a5
# rule: Sub-byte tiles need an even last dim
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[16, 33], dtype=pl.DT_FP4E2M1)
