# case: pro_rule_009_bad
# expect: reject pro-tile-ann-arg line=11
# arch: a5
# rule: pl.Tile third argument must be pl.MemRef
import pypto_pro.language as pl


@pl.jit
def kern(
    g: pl.Tensor[[64, 128], pl.DT_FP16],
    t: pl.Tile[[64, 64], pl.DT_FP16, pl.NZ],
):
    return
