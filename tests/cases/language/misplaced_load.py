# case: misplaced_load
# expect: reject misplaced-op line=11
# arch: any
# entry: kern
# rule: tiles exist on cores only
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    t = pl.load(x, [0, 0], [64, 64])
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = x[0:64, :]
    return out
