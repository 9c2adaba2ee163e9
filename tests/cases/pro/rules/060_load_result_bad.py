# case: pro_rule_060_bad
# expect: reject pro-load-result line=12
# arch: a5
# rule: load returns nothing
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.load(x, [0, 0], [64, 128])
