# expect: ok
# note: `m` is another number in the second slice, so what the helper loads may well be inside
import pypto.language as pl

N = pl.dynamic("N")


@pl.jit.incore
def helper(x: pl.Tensor, y: pl.Tensor, out: pl.Out[pl.Tensor]):
    n = pl.tensor.dim(x, 0)
    for i in pl.range(n):
        t = pl.load(y, [i + 1, 0], [1, 64])
        out = pl.store(t, [0, 0], out)
    return out


@pl.jit
def entry(x: pl.Tensor[[N, 64], pl.FP32], m: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[1, 64], pl.FP32]]):
    a = x[0:m, :]
    m = m + 1
    b = x[0:m, :]
    out = helper(a, b, out)
    return out
