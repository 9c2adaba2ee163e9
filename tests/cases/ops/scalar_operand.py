# case: scalar_operand
# expect: ok
# arch: any
# entry: scalar_operand
# rule: a literal takes the dtype of the tensor; an INDEX does not mix with it
import pypto.language as pl


@pl.jit.incore
def scalar_operand(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
    b: pl.Tensor[[64, 128], pl.BF16],
    i: pl.InOut[pl.Tensor[[64, 128], pl.INT32]],
    n32: pl.Scalar[pl.INT32],
):
    tf = pl.load(f, [0, 0], [64, 128])
    a = pl.mul(b, 2.0)
    c = pl.mul(i, n32)
    d = pl.tensor.adds(f, 1.5)
    e = pl.maximums(tf, 0.0)
    k = pl.expands(f, 1.0)
