# case: pro_rule_007_bad
# expect: reject pro-dtype-name line=10
# arch: a5
# rule: Unknown dtype (also the other dialect's spelling)
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.FP16],
):
    return
