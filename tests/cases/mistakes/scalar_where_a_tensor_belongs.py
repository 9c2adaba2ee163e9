# case: scalar_where_a_tensor_belongs
# expect: reject type-mismatch line=23
# arch: any
# entry: scalar_where_a_tensor_belongs
# rule: a number for a tensor parameter
import pypto.language as pl


@pl.jit.inline
def scaled(a: pl.Tensor[[64, 64], pl.FP32], by: pl.Scalar[pl.FP32], into: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        into[:, :] = pl.mul(a, by)
    return into


@pl.jit
def scalar_where_a_tensor_belongs(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    out = scaled(2.0, 2.0, out)
    return out
