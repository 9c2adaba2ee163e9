# case: pro_rule_088_bad
# expect: ok
# arch: a5
# rule: Padded storage reminder when M or N is unaligned
# also: hint pro-nz-storage line=11
import pypto_pro.language as pl


@pl.jit
def kern(
    u: pl.Tensor[[50, 70], pl.DT_FP16, pl.NZ],
):
    return
