# case: live_rows_one_too_many
# expect: reject loop-bounds line=22
# at: i
# arch: any
# entry: copy
# mentions: 1 past the end of axis 0 of `x`; the last round of `i`
# absent: at least
# rule: a live part that is one row longer than what is left of a dynamic tensor
import pypto.language as pl

ROWS = pl.dynamic("ROWS")


@pl.jit
def copy(
    x: pl.Tensor[[ROWS, 128], pl.FP32],
    y: pl.Out[pl.Tensor[[ROWS, 128], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="copy"):
        for i in pl.range(0, ROWS, 16):
            left = pl.min(16, ROWS - i)
            part = pl.slice(x, [16, 128], [i, 0], valid_shape=[left + 1, 128])
            y = pl.assemble(y, pl.set_validshape(part, left, 128), [i, 0])
    return y
