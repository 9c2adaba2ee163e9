# case: argument_larger_than_declared
# expect: ok
# warns: argument-larger line=21
# arch: any
# entry: kern
# mentions: pl.Tensor[[32, 64], pl.FP32]; pl.Tensor[[128, 64], pl.FP32]; is declared here
# rule: a helper may be given more rows than it declares: what it says of them stays inside
import pypto.language as pl


@pl.jit.inline
def first(x: pl.Tensor[[32, 64], pl.FP32], out: pl.Tensor[[32, 64], pl.FP32]):
    flat = pl.reshape(x, [2048])
    with pl.at(level=pl.Level.CORE_GROUP):
        out[0:32, :] = pl.add(x[0:32, :], 1.0)
    return out


@pl.jit
def kern(x: pl.Tensor[[128, 64], pl.FP32], out: pl.Out[pl.Tensor[[32, 64], pl.FP32]]):
    out = first(x, out)
    return out
