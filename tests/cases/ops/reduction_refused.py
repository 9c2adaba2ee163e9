# case: reduction_refused
# expect: reject wrong-arguments line=16
# at: pl.row_sum(tf)
# arch: any
# entry: reduction_refused
# mentions: tmp_tile
# rule: one axis becomes 1; a tile needs scratch
import pypto.language as pl


@pl.jit.incore
def reduction_refused(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
):
    tf = pl.load(f, [0, 0], [64, 128])
    a = pl.row_sum(tf)
