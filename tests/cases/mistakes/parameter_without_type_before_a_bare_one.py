# case: parameter_without_type_before_a_bare_one
# expect: reject bad-annotation line=11
# at: flag
# arch: any
# entry: inner
# rule: every parameter has a type; those after it keep theirs
import pypto.language as pl


@pl.jit.incore
def inner(flag, a: pl.Tensor, b: pl.Out[pl.Tensor]):
    t = pl.load(a, [0, 0], [16, 64])
    b = pl.store(t, [0, 0], b)
    return b


@pl.jit
def outer(f: pl.Tensor[[16], pl.FP32], x: pl.Tensor[[16, 64], pl.FP16], y: pl.Out[pl.Tensor[[16, 64], pl.FP16]]):
    y = inner(f, x, y)
    return y
