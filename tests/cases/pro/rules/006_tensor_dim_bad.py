# case: pro_rule_006_bad
# expect: reject pro-tensor-dim line=10
# arch: a5
# rule: Dims are positive ints, DYNAMIC, STATIC or one trailing ...
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[0, 64], pl.DT_FP16],
):
    return
