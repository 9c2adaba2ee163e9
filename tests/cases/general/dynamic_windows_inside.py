# case: dynamic_windows_inside
# expect: ok
# arch: any
# entry: blocks
# rule: windows over dynamic extents that are right, or right for some extents: nothing is said
import pypto.language as pl

ROWS = pl.dynamic("ROWS")


@pl.jit
def blocks(
    x: pl.Tensor[[ROWS, 128], pl.FP32],
    y: pl.Out[pl.Tensor[[ROWS, 128], pl.FP32]],
):
    rows = pl.tensor.dim(x, 0)
    padded = (rows + 15) // 16 * 16
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="whole"):
        for i in pl.range(rows // 16):
            y[i * 16 : (i + 1) * 16, :] = pl.mul(x[i * 16 : (i + 1) * 16, :], 2.0)
        for i in pl.range(0, padded, 16):
            row = pl.min(i, rows - 16)
            y[row : row + 16, :] = pl.mul(x[row : row + 16, :], 2.0)
        for i in pl.range((rows + 15) // 16):
            left = pl.min(16, rows - i * 16)
            part = pl.slice(x, [16, 128], [i * 16, 0], valid_shape=[left, 128])
            y = pl.assemble(y, pl.mul(part, 2.0), [i * 16, 0])
        for i in pl.range(rows * 16 // 16 // 32):
            y[i * 32 : i * 32 + 32, :] = pl.mul(x[i * 32 : i * 32 + 32, :], 2.0)
    return y
