# case: half_times_a_float_literal
# expect: reject type-mismatch line=15
# arch: any
# entry: scale
# mentions: FP32; a tensor of FP16; converts nothing
# help-mentions: pl.cast
# rule: a float literal is FP32, so a product of halves with it is too, and no store narrows it
import pypto.language as pl


@pl.jit
def scale(x: pl.Tensor[[64, 128], pl.FP16], y: pl.Out[pl.Tensor[[64, 128], pl.FP16]]):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="scale"):
        y[0:32, :] = pl.mul(x[0:32, :], 2)
        y[32:64, :] = pl.mul(x[32:64, :], 0.5)
    return y
