# case: pro_rule_120_ok
# expect: ok
# arch: a5
# rule: with takes one section call
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    with pl.section_cube():
        pass
