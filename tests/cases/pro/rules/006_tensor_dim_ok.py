# case: pro_rule_006_ok
# expect: ok
# arch: a5
# rule: Dims are positive ints, DYNAMIC, STATIC or one trailing ...
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP16],
):
    return
