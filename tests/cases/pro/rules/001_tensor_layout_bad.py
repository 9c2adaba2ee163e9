# case: pro_rule_001_bad
# expect: reject pro-tensor-layout line=10
# arch: a5
# rule: A Tensor annotation may only declare ND or NZ
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16, pl.ZN],
):
    return
