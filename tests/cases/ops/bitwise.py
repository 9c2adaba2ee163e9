# case: bitwise
# expect: ok
# arch: any
# entry: bitwise
# rule: bitwise operations take integers
import pypto.language as pl


@pl.jit.incore
def bitwise(
    i: pl.InOut[pl.Tensor[[64, 128], pl.INT32]],
    n32: pl.Scalar[pl.INT32],
):
    ti = pl.load(i, [0, 0], [64, 128])
    a = pl.and_(i, 3)
    c = pl.shl(ti, ti)
    d = pl.shrs(ti, n32)
    e = pl.not_(ti)
    k = pl.xors(i, 255)
