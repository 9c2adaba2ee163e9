# case: pro_rule_117_ok
# expect: ok
# arch: a5
# rule: pl.range takes positionals
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    for i in pl.range(0, 4):
        pass
