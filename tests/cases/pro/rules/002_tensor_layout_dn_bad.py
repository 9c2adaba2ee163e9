# case: pro_rule_002_bad
# expect: ok
# arch: a5
# rule: DN on a Tensor parses but is not a supported GM storage form
# warns: pro-tensor-layout-dn line=11
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16, pl.DN],
):
    return
