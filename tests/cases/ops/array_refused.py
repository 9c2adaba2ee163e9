# case: array_refused
# expect: reject literal-required line=15
# at: n
# arch: any
# entry: array_refused
# mentions: known without running
# rule: the extent of an array is a constant
import pypto.language as pl


@pl.jit.incore
def array_refused(
    n: pl.Scalar[pl.INDEX],
):
    a = pl.array.create(n, pl.INT32)
