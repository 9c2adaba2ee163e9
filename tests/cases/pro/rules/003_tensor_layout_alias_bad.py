# case: pro_rule_003_bad
# expect: reject pro-tensor-layout-alias line=12
# arch: a5
# rule: Same rule through a name bound to a layout (upstream misses it)
import pypto_pro.language as pl

L = pl.ZZ


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP8E8M0, L],
):
    return
