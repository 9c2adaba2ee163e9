# expect: reject offset-align line=9
# arch: a3
import pypto.language as pl


@pl.jit.inline
def mmul(a: pl.Tensor[[16, 64], pl.FP16], b: pl.Tensor[[256, 64], pl.FP16, pl.NZ], o: pl.Tensor[[16, 32], pl.FP32], r: pl.Scalar[pl.INDEX]):
    with pl.at(level=pl.Level.CORE_GROUP):
        o[:, :] = pl.matmul(a, b[r : r + 32, :], b_trans=True, out_dtype=pl.FP32)
    return o


@pl.jit
def kern(x: pl.Tensor[[16, 64], pl.FP16], w: pl.Tensor[[256, 64], pl.FP16, pl.NZ], out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]):
    out = mmul(x, w, out, 16)
    out = mmul(x, w, out, 24)
    return out
