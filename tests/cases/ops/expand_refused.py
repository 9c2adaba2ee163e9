# case: expand_refused
# expect: reject shape-mismatch line=16
# at: row
# arch: any
# entry: expand_refused
# mentions: one value a row
# rule: the vector has one value a row, or one a column
import pypto.language as pl


@pl.jit.incore
def expand_refused(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
    row: pl.Tensor[[1, 128], pl.FP32],
):
    a = pl.row_expand_mul(f, row)
