# case: pro_rule_004_ok
# expect: ok
# arch: a5
# rule: Third Tensor argument must be a TensorLayout or MemRef
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16, pl.ND],
):
    return
