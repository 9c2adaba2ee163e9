# case: helper_that_works_in_place
# expect: ok
# arch: any
# entry: kern
# rule: one tensor may be read and written by one call: the helper then works in place
import pypto.language as pl


@pl.jit.incore
def grown(x: pl.Tensor[[64, 64], pl.FP32], into: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    into[:, :] = pl.add(x[0:64, :], 1.0)
    return into


@pl.jit
def kern(out: pl.InOut[pl.Tensor[[64, 64], pl.FP32]]):
    out = grown(out, out)
    return out
