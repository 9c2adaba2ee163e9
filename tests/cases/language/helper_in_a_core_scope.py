# case: helper_in_a_core_scope
# expect: ok
# arch: any
# entry: kern
# rule: a helper computes where it is pasted in
import pypto.language as pl


@pl.jit.inline
def fetch(x: pl.Tensor[[64, 64], pl.FP16]):
    t = pl.load(x, [0, 0], [64, 64])
    return t


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = fetch(x)
        out = pl.store(t, [0, 0], out)
    return out
