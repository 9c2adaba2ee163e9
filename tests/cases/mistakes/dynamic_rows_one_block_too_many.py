# case: dynamic_rows_one_block_too_many
# expect: reject loop-bounds line=21
# at: i * 16
# arch: any
# entry: scale
# mentions: past the end of axis 0 of `x`; the last round of `i`; `ROWS`
# related-line=20
# rule: a loop over a dynamic extent that runs once too often, whatever the extent is
import pypto.language as pl

ROWS = pl.dynamic("ROWS")


@pl.jit
def scale(
    x: pl.Tensor[[ROWS, 128], pl.FP32],
    y: pl.Out[pl.Tensor[[ROWS, 128], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="scale"):
        for i in pl.range(ROWS // 16 + 1):
            part = x[i * 16 : i * 16 + 16, :]
            rows = pl.min(i * 16, ROWS - 16)
            y[rows : rows + 16, :] = pl.mul(part, 2.0)
    return y
