# case: random_refused
# expect: reject type-mismatch line=13
# at: pl.FP32
# arch: any
# entry: random_refused
# mentions: INT32
# rule: six seeds and a shape of two axes
import pypto.language as pl


@pl.jit.incore
def random_refused():
    a = pl.random(1, 2, 3, 4, 5, 6, [8, 64], pl.FP32)
