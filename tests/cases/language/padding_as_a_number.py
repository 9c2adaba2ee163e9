# expect: ok
# note: 0 stands for pl.PadValue.zero, an infinity for the greatest and the least value
import math

import pypto.language as pl


@pl.jit
def padded(x: pl.Tensor[[16, 16], pl.FP32], out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        tile = pl.load(x, [0, 0], [16, 16], valid_shape=[16, 10])
        out = pl.store(pl.tile.fillpad(tile, pad_value=0), [0, 0], out)
        out = pl.store(pl.tile.fillpad(tile, pad_value=-math.inf), [0, 16], out)
    return out
