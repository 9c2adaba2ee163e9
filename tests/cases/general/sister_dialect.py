# case: sister_dialect
# expect: ok
# arch: any
# warns: not-supported-yet line=7
# kernels: 0
# rule: a dialect that is not modelled is said to be, once
import pypto_pro.language as pl
from pypto_pro.language import Vf as vf


@pl.jit
def kern(x):
    pl.vector_add(x, undefined_here)
