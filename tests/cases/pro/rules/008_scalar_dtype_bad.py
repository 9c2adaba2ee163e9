# case: pro_rule_008_bad
# expect: reject pro-scalar-dtype line=11
# arch: a5
# rule: Sub-16-bit float and 4-bit types cannot be scalar parameters
import pypto_pro.language as pl


@pl.jit
def kern(
    g: pl.Tensor[[64, 128], pl.DT_FP16],
    s: pl.DT_FP8E4M3FN,
):
    return
