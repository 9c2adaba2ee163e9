# case: slice_that_ends_before_it_begins
# expect: reject shape-mismatch line=17
# arch: any
# entry: slice_that_ends_before_it_begins
# rule: bounds in the wrong order
import pypto.language as pl


@pl.jit
def slice_that_ends_before_it_begins(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        a = f[32:16, :]
        out[:, :] = pl.add(f, f)
    return out
