# case: expand
# expect: ok
# arch: any
# entry: expand
# rule: the vector has one value a row, or one a column
import pypto.language as pl


@pl.jit.incore
def expand(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
    h: pl.Tensor[[64, 128], pl.FP16],
    row: pl.Tensor[[1, 128], pl.FP32],
    col: pl.Tensor[[64, 1], pl.FP32],
):
    tf = pl.load(f, [0, 0], [64, 128])
    tcol = pl.load(col, [0, 0], [64, 1])
    trow = pl.load(row, [0, 0], [1, 128])
    a = pl.row_expand_mul(f, col)
    c = pl.col_expand_sub(tf, trow)
    d = pl.row_expand(tf, tcol)
    e = pl.col_expand_mul(h, row)
