# case: pro_rule_033_ok
# expect: ok
# arch: a5
# rule: dims are positive
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[16, 64], dtype=pl.DT_FP16)
