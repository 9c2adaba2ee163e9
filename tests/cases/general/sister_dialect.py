# case: sister_dialect
# expect: reject pro-param-annotation line=12
# arch: a5
# also: error pro-unknown-name line=13
# kernels: 1
# rule: the second dialect is checked by its own rules; a name that nobody knows is not an operation of the first one
import pypto_pro.language as pl
from pypto_pro.language import Vf as vf


@pl.jit
def kern(x: pl.Tensor[[64], pl.DT_FP16], y):
    pl.load(undefined_here, x, [0])
