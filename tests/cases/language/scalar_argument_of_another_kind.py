# case: scalar_argument_of_another_kind
# expect: reject type-mismatch line=17
# arch: any
# entry: outer
# mentions: is declared here
# rule: an integer parameter takes integers
import pypto.language as pl


@pl.jit.inline
def same(n: pl.Scalar[pl.INT32]):
    return n


@pl.jit
def outer(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    m = same(x)
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = x[0:64, :]
    return out
