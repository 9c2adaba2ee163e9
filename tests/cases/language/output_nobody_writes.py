# case: output_nobody_writes
# expect: ok
# also: information output-not-written line=14
# also: information output-not-written line=23
# arch: any
# entry: kern
# rule: an output that the body does not mention is never written
import pypto.language as pl


@pl.jit.incore
def kern(
    x: pl.Tensor[[16, 64], pl.FP32],
    most: pl.Out[pl.Tensor[[16, 1], pl.FP32]],
    out: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
):
    pl.store(pl.load(x, [0, 0], [16, 64]), [0, 0], out)


@pl.jit.incore
def returns(
    x: pl.Tensor[[16, 64], pl.FP32],
    most: pl.Out[pl.Tensor[[16, 1], pl.FP32]],
    out: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
):
    t = pl.load(x, [0, 0], [16, 64])
    out = pl.store(t, [0, 0], out)
    return out
