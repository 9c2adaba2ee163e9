# case: split_leaves_one_row
# expect: reject capacity line=16
# arch: a3
# entry: halves
# rule: a tile of one row has no halves along its rows, so `pl.split` by rows leaves two of 160 KiB whole
import pypto.language as pl


@pl.jit
def halves(
    a: pl.Tensor[[2, 40960], pl.FP32],
    out: pl.Out[pl.Tensor[[1, 40960], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="halves", optimizations=[pl.split(pl.SplitMode.UP_DOWN)]):
        x = pl.load(a, [0, 0], [1, 40960])
        y = pl.load(a, [1, 0], [1, 40960])
        out = pl.store(pl.add(x, y), [0, 0], out)
    return out
