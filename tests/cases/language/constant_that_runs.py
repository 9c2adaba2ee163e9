# case: constant_that_runs
# expect: reject type-mismatch line=20
# at: n
# arch: any
# entry: kern
# mentions: known without running; `rows` of `first`
# rule: a runtime scalar is no `pl.constexpr`
import pypto.language as pl


@pl.jit.inline
def first(x: pl.Tensor[[64, 64], pl.FP32], rows: pl.constexpr, out: pl.Tensor[[64, 64], pl.FP32]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[0:rows, :] = x[0:rows, :]
    return out


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP32], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    out = first(x, n, out)
    return out
