# case: negative_extent_in_an_annotation
# expect: reject bad-annotation line=15
# alt-kind: shape-mismatch
# arch: any
# mentions: -16
# rule: a negative extent
import pypto.language as pl


ROWS = 16


@pl.jit
def negative_extent_in_an_annotation(
    x: pl.Tensor[[ROWS - 32, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :] = pl.add(out, out)
    return out
