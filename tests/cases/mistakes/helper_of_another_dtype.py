# case: helper_of_another_dtype
# expect: reject type-mismatch line=25
# arch: any
# entry: helper_of_another_dtype
# mentions: FP16; FP32
# rule: an FP16 tensor for an FP32 parameter
import pypto.language as pl


@pl.jit.inline
def scaled(a: pl.Tensor[[64, 64], pl.FP32], by: pl.Scalar[pl.FP32], into: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        into[:, :] = pl.mul(a, by)
    return into


@pl.jit
def helper_of_another_dtype(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    h: pl.Tensor[[64, 64], pl.FP16],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    out = scaled(h, 2.0, out)
    return out
