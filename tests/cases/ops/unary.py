# case: unary
# expect: ok
# arch: any
# entry: unary
# rule: most keep the type, a cast changes it
import pypto.language as pl


@pl.jit.incore
def unary(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
    h: pl.Tensor[[64, 128], pl.FP16],
    i: pl.InOut[pl.Tensor[[64, 128], pl.INT32]],
):
    tf = pl.load(f, [0, 0], [64, 128])
    th = pl.load(h, [0, 0], [64, 128])
    a = pl.cast(f, pl.BF16)
    c = pl.exp(i)
    d = pl.neg(th)
    e = pl.abs(f)
    k = pl.relu(tf)
