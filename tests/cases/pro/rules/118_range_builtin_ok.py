# case: pro_rule_118_ok
# expect: ok
# arch: a5
# rule: builtin range is not a DSL loop
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    for i in pl.range(4):
        pass
