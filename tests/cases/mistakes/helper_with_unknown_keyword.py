# case: helper_with_unknown_keyword
# expect: reject wrong-arguments line=24
# arch: any
# entry: helper_with_unknown_keyword
# mentions: factor
# rule: a keyword that the kernel does not have
import pypto.language as pl


@pl.jit.inline
def scaled(a: pl.Tensor[[64, 64], pl.FP32], by: pl.Scalar[pl.FP32], into: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        into[:, :] = pl.mul(a, by)
    return into


@pl.jit
def helper_with_unknown_keyword(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    out = scaled(f, factor=2.0, into=out)
    return out
