# expect: ok
# What is loaded once and changed in one element is an operand of the cube unit and of the vector unit: both read the change.
import pypto.language as pl


@pl.jit.incore
def kern(
    x: pl.Tensor[[16, 16], pl.FP16],
    w: pl.Tensor[[16, 16], pl.FP16],
    z: pl.Out[pl.Tensor[[16, 16], pl.FP32]],
):
    a = pl.load(x, [0, 0], [16, 16])
    pl.write(a, [0, 0], pl.const(2.0, pl.FP16))
    b = pl.load(w, [0, 0], [16, 16], target_memory=pl.Mem.Mat)
    p = pl.matmul(a, b)
    s = pl.add(p, pl.cast(a, target_type=pl.FP32))
    z = pl.store(s, [0, 0], z)
    return z
