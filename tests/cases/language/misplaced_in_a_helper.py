# case: misplaced_in_a_helper
# expect: reject misplaced-op line=12
# arch: any
# entry: kern
# mentions: pasted in here
# rule: a helper computes where it is pasted in
import pypto.language as pl


@pl.jit.inline
def fetch(x: pl.Tensor[[64, 64], pl.FP16]):
    t = pl.load(x, [0, 0], [64, 64])
    return t


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    t = fetch(x)
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = x[0:64, :]
    return out
