# case: symbol_of_two_sizes
# expect: reject shape-mismatch line=19
# arch: any
# entry: outer
# rule: one symbol of the callee is one number in a call
import pypto.language as pl


M = pl.dynamic("M")


@pl.jit.inline
def both(a: pl.Tensor[[M, 64], pl.FP16], b: pl.Tensor[[M, 64], pl.FP16]):
    return a


@pl.jit
def outer(x: pl.Tensor[[64, 64], pl.FP16], y: pl.Tensor[[32, 64], pl.FP16], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    t = both(x, y)
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = x[0:64, :]
    return out
