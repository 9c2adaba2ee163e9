# case: result_nobody_takes
# expect: ok
# warns: unused-result line=16
# at: pl.add(t, pl.load(y, [0, 0], [16, 64]))
# arch: any
# entry: kern
# rule: an operation that only makes a value does nothing where the value is not bound
import pypto.language as pl


@pl.jit.incore
def kern(
    x: pl.Tensor[[16, 64], pl.FP32], y: pl.Tensor[[16, 64], pl.FP32], out: pl.Out[pl.Tensor[[16, 64], pl.FP32]]
):
    t = pl.load(x, [0, 0], [16, 64])
    pl.add(t, pl.load(y, [0, 0], [16, 64]))
    u = pl.exp(t)
    pl.store(u, [0, 0], out)
