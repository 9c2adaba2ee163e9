# case: pro_unknown_decorator
# expect: reject unknown-member line=9
# arch: a5
# kernels: 0
# mentions: jit
# rule: a decorator that the dialect does not have would make no kernel, silently
import pypto_pro.language as pl

@pl.jot
def kern(x: pl.Tensor[[64], pl.DT_FP16]):
    pass
