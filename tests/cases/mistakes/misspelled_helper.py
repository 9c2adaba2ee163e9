# case: misspelled_helper
# expect: reject undefined-name line=25
# at: scale
# arch: any
# entry: misspelled_helper
# mentions: scaled
# rule: a kernel that does not exist
import pypto.language as pl


@pl.jit.inline
def scaled(a: pl.Tensor[[64, 64], pl.FP32], by: pl.Scalar[pl.FP32], into: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        into[:, :] = pl.mul(a, by)
    return into


@pl.jit
def misspelled_helper(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    out = scale(f, 2.0, out)
    return out
