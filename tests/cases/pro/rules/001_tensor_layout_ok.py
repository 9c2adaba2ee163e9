# case: pro_rule_001_ok
# expect: ok
# arch: a5
# rule: A Tensor annotation may only declare ND or NZ
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16, pl.NZ],
):
    return
