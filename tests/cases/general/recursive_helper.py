# case: recursive_helper
# expect: reject recursive-call line=12
# arch: any
# entry: entry
# mentions: recursive
# rule: a helper is pasted in, so it cannot call itself
import pypto.language as pl


@pl.jit.inline
def rec(w: pl.Tensor[[192, 64], pl.FP16, pl.NZ]):
    rec(w)


@pl.jit
def entry(w: pl.Tensor[[192, 64], pl.FP16, pl.NZ]):
    rec(w)
