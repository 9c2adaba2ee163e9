# case: operand_of_half_a_fractal
# expect: ok
# arch: any
# entry: kern
# rule: an operand that the compiler loads is padded by it: 144 columns are whole fractals of the product, not of INT8
import pypto.language as pl


@pl.jit
def kern(a: pl.Tensor[[128, 256], pl.INT8], b: pl.Tensor[[256, 144], pl.INT8], c: pl.Out[pl.Tensor[[128, 144], pl.INT32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        c[:, :] = pl.matmul(a[0:128, 0:256], b[0:256, 0:144], out_dtype=pl.INT32)
    return c
