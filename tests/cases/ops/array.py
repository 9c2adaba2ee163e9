# case: array
# expect: ok
# arch: any
# entry: array
# rule: the extent of an array is a constant
import pypto.language as pl


@pl.jit.incore
def array(
    n: pl.Scalar[pl.INDEX],
):
    a = pl.array.create(4, pl.INT32)
    c = pl.array.get_element(a, 1)
    d = a[n]
