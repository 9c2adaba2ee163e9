# case: helper_declares_its_axis
# expect: reject bounds line=13
# arch: any
# entry: rows_of_sixteen
# kernel: none
# rule: the same block is refused where the helper declares the extent itself
import pypto.language as pl


@pl.jit.inline
def rows_of_sixteen(x: pl.Tensor[[8, 64], pl.FP32], out: pl.Tensor[[16, 64], pl.FP32]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[0:16, :] = pl.add(x[0:16, :], 1.0)
    return out
