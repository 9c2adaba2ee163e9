# expect: ok
# note: what a product takes straight from a tensor is padded by the compiler; only a tile made by hand is whole fractals
import pypto.language as pl


@pl.jit
def product(
    a: pl.Tensor[[17, 64], pl.BF16], b: pl.Tensor[[64, 72], pl.BF16], out: pl.Out[pl.Tensor[[17, 72], pl.FP32]]
):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = pl.matmul(a[0:17, 0:64], b[0:64, 0:72], out_dtype=pl.FP32)
    return out
