# case: constant_too_large
# expect: reject bounds line=14
# arch: any
# entry: kern
# mentions: 65; is pasted in here
# rule: the value of the call is followed into the helper
import pypto.language as pl


@pl.jit.inline
def first(x: pl.Tensor[[64, 64], pl.FP32], rows: pl.constexpr, out: pl.Tensor[[64, 64], pl.FP32]):
    with pl.at(level=pl.Level.CORE_GROUP):
        half = rows // 2
        out[0:rows, :] = x[0 : half + rows - half, :]
    return out


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    out = first(x, 65, out)
    return out
