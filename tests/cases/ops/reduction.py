# case: reduction
# expect: ok
# arch: any
# entry: reduction
# rule: one axis becomes 1; a tile needs scratch
import pypto.language as pl


@pl.jit.incore
def reduction(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
    g: pl.Tensor[[64, 128], pl.FP32],
):
    tf = pl.load(f, [0, 0], [64, 128])
    tg = pl.load(g, [0, 0], [64, 128])
    a = pl.row_sum(f)
    c = pl.row_max(tf, tg)
    d = pl.col_sum(f)
    e = pl.col_max(tf)
    k = pl.row_argmax(f)
