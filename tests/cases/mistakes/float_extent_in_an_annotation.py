# case: float_extent_in_an_annotation
# expect: reject bad-annotation line=15
# alt-kind: type-mismatch
# arch: any
# mentions: 64.0
# rule: `/` makes an extent a float
import pypto.language as pl


COLS = 128 / 2


@pl.jit
def float_extent_in_an_annotation(
    x: pl.Tensor[[64, COLS], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :] = pl.add(out, out)
    return out
