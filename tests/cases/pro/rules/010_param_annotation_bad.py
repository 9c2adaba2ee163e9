# case: pro_rule_010_bad
# expect: reject pro-param-annotation line=9
# arch: a5
# rule: Every kernel parameter needs an annotation
import pypto_pro.language as pl


@pl.jit
def k(x: pl.Tensor[[8], pl.DT_FP16], n):
    return
