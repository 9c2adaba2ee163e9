# case: pro_rule_118_bad
# expect: reject pro-range-builtin line=12
# arch: a5
# rule: builtin range is not a DSL loop
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    for i in range(4):
        pass
