# case: axis_that_does_not_exist
# expect: reject rank line=17
# at: 2
# arch: any
# entry: axis_that_does_not_exist
# rule: an axis beyond the rank
import pypto.language as pl


@pl.jit
def axis_that_does_not_exist(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    n = pl.tensor.dim(x, 2)
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :] = pl.add(f, f)
    return out
