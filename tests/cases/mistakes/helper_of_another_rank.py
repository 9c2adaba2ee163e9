# case: helper_of_another_rank
# expect: reject rank line=25
# alt-kind: type-mismatch, shape-mismatch
# arch: any
# entry: helper_of_another_rank
# rule: a tensor of another rank than the parameter
import pypto.language as pl


@pl.jit.inline
def scaled(a: pl.Tensor[[64, 64], pl.FP32], by: pl.Scalar[pl.FP32], into: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        into[:, :] = pl.mul(a, by)
    return into


@pl.jit
def helper_of_another_rank(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    g: pl.Tensor[[4096], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    out = scaled(g, 2.0, out)
    return out
