# case: constant_behind_an_offset
# expect: reject bounds line=21
# at: start
# mentions: `STEP = 48`; `HALF = 24`; `ROWS = 64`
# arch: any
# entry: constant_behind_an_offset
# rule: the constants behind a folded offset and behind the extent beside it are named where they are defined
import pypto.language as pl

ROWS = 64
HALF = 24
STEP = 2 * HALF


@pl.jit
def constant_behind_an_offset(
    x: pl.Tensor[[ROWS, 64], pl.FP32], out: pl.Out[pl.Tensor[[32, 64], pl.FP32]]
):
    with pl.at(level=pl.Level.CORE_GROUP):
        start = STEP
        tile = pl.load(x, [start, 0], [32, 64])
        out = pl.store(tile, [0, 0], out)
    return out
