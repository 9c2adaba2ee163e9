# case: vector_result_of_other_width
# expect: reject type-mismatch line=14
# arch: any
# entry: scale
# mentions: FP32; a tensor of FP16; converts nothing
# help-mentions: pl.cast
# rule: what the vector unit computed is stored as it is: no store narrows it
import pypto.language as pl


@pl.jit
def scale(x: pl.Tensor[[64, 128], pl.FP32], y: pl.Out[pl.Tensor[[64, 128], pl.FP16]]):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="scale"):
        y[0:32, :] = pl.mul(x[0:32, :], 2.0)
        y[32:64, :] = pl.cast(pl.mul(x[32:64, :], 0.5), target_type=pl.FP16)
    return y
