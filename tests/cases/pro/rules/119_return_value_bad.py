# case: pro_rule_119_bad
# expect: reject pro-return-value line=10
# arch: a5
# rule: Kernels return nothing
import pypto_pro.language as pl


@pl.jit
def k(x: pl.Tensor[[8, 16], pl.DT_FP16]):
    return x
