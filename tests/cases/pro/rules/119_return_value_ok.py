# case: pro_rule_119_ok
# expect: ok
# arch: a5
# rule: Kernels return nothing
import pypto_pro.language as pl


@pl.jit
def k(x: pl.Tensor[[8, 16], pl.DT_FP16]):
    return
