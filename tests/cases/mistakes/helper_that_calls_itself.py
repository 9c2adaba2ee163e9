# case: helper_that_calls_itself
# expect: reject recursive-call line=11
# arch: any
# entry: again
# rule: recursion
import pypto.language as pl


@pl.jit.inline
def again(a: pl.Tensor[[64, 64], pl.FP32], into: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    return again(a, into)


@pl.jit
def helper_that_calls_itself(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    out = again(f, out)
    return out
