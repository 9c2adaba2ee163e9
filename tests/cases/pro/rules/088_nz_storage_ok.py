# case: pro_rule_088_ok
# expect: ok
# arch: a5
# rule: Padded storage reminder when M or N is unaligned
import pypto_pro.language as pl


@pl.jit
def kern(
    u: pl.Tensor[[64, 80], pl.DT_FP16, pl.NZ],
):
    return
