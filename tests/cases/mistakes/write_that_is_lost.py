# case: write_that_is_lost
# expect: reject lost-write line=18
# arch: any
# entry: write_that_is_lost
# mentions: out
# rule: `out = op(…)` rebinds the name, nothing is written
import pypto.language as pl


@pl.jit
def write_that_is_lost(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        out = pl.add(f, f)
    return out
