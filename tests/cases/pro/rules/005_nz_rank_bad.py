# case: pro_rule_005_bad
# expect: reject pro-nz-rank line=10
# arch: a5
# rule: NZ needs at least two axes (last two are M,N)
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[4096], pl.DT_FP16, pl.NZ],
):
    return
