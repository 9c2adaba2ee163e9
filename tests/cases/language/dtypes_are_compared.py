# case: dtypes_are_compared
# expect: ok
# arch: any
# rule: constants of the language are equal to themselves alone
import pypto.language as pl

DT = pl.FP16


@pl.jit.incore
def kern(x: pl.Tensor[[16, 64], pl.FP16], y: pl.Out[pl.Tensor[[16, 64], pl.FP16]]):
    t = pl.load(x, [0, 0], [16, 64])
    if DT == pl.FP16 and pl.Mem.Vec != pl.Mem.Mat:
        u = pl.add(t, 1.0)
    else:
        u = pl.load(x, [0, 99], [16, 64])
    y = pl.store(u, [0, 0], y)
    return y
