# case: pro_g02_return_in_a_branch
# expect: reject pro-return-value line=13
# arch: a5
# rule: a kernel returns nothing, wherever
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16], n: pl.DT_INT32,
):
    if n > 3:
        return n
