# case: pro_rule_039_ok
# expect: ok
# arch: a5
# rule: Sub-byte tiles need an even last dim
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[16, 64], dtype=pl.DT_FP4E2M1)
