# case: callee_that_makes_its_result
# expect: reject shape-mismatch line=20
# arch: any
# entry: outer
# rule: what a kernel hands out is typed from its body
import pypto.language as pl


@pl.jit.incore
def inner(x: pl.Tensor[[64, 64], pl.FP16]):
    made = pl.create_tensor([32, 64], dtype=pl.FP16)
    made[:] = x[0:32, :]
    return made


@pl.jit
def outer(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    half = inner(x)
    with pl.at(level=pl.Level.CORE_GROUP):
        out[0:64, :] = half[0:16, :]
    return out
