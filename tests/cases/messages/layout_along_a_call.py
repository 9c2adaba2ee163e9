# case: layout_along_a_call
# expect: reject layout-mismatch line=17
# arch: any
# entry: outer
# mentions: `x` is declared here; `w` is declared here
# rule: both annotations are named
import pypto.language as pl


@pl.jit.inline
def take(w: pl.Tensor[[64, 64], pl.FP16, pl.NZ]):
    return w


@pl.jit
def outer(x: pl.Tensor[[64, 64], pl.FP16], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    w = take(x)
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = x[0:64, :]
    return out
