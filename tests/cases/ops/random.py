# case: random
# expect: ok
# arch: any
# entry: random
# rule: six seeds and a shape of two axes
import pypto.language as pl


@pl.jit.incore
def random(
    n32: pl.Scalar[pl.INT32],
):
    a = pl.random(1, 2, 3, 4, 5, 6, [8, 64])
    c = pl.random(n32, 2, 3, 4, 5, 6, [8, 64], rounds=7)
