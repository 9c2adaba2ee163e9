# case: both_ends_of_a_call
# expect: reject shape-mismatch line=17
# arch: any
# entry: outer
# mentions: pl.Tensor[[32, 64], pl.FP16]; pl.Tensor[[64, 64], pl.FP16]; is declared here
# rule: the argument and the parameter are both shown
import pypto.language as pl


@pl.jit.inline
def take(w: pl.Tensor[[64, 64], pl.FP16]):
    return w


@pl.jit
def outer(x: pl.Tensor[[32, 64], pl.FP16], out: pl.Out[pl.Tensor[[32, 64], pl.FP16]]):
    w = take(x)
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = x[0:32, :]
    return out
