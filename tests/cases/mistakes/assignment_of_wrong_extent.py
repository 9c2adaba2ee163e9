# case: assignment_of_wrong_extent
# expect: reject shape-mismatch line=18
# arch: any
# entry: assignment_of_wrong_extent
# mentions: 32; 64
# rule: a window assigned a value of other extents
import pypto.language as pl


@pl.jit
def assignment_of_wrong_extent(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[0:32, :] = pl.add(f, f)
    return out
