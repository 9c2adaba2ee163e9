# case: constants_of_a_call
# expect: ok
# arch: any
# entry: kern
# rule: a `pl.constexpr` parameter is what the call gives: an extent, a dtype, the condition of an `if`, a list
import pypto.language as pl


@pl.jit.inline
def scaled(x: pl.Tensor[[64, 64], pl.FP32], rows: pl.constexpr, dt: pl.constexpr, sizes: pl.constexpr, out: pl.Tensor[[64, 64], pl.FP32]):
    with pl.at(level=pl.Level.CORE_GROUP):
        if rows > 64:
            out[0:rows, :] = x[0:rows, :]
        else:
            small = pl.cast(x[0:rows, :], dt)
            out[0:rows, :] = pl.cast(small, pl.FP32)
            out[rows : rows + sizes[1], :] = x[rows : rows + sizes[1], :]
    return out


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]], reps: pl.constexpr = 2):
    for i in pl.unroll(reps):
        out = scaled(x, 32, pl.BF16, [8, 16], out)
    return out
