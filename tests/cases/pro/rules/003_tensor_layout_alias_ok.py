# case: pro_rule_003_ok
# expect: ok
# arch: a5
# rule: Same rule through a name bound to a layout (upstream misses it)
import pypto_pro.language as pl

L = pl.NZ


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16, L],
):
    return
