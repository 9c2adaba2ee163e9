# case: pro_rule_007_ok
# expect: ok
# arch: a5
# rule: Unknown dtype (also the other dialect's spelling)
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    return
