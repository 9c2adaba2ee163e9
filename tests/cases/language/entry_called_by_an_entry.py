# case: entry_called_by_an_entry
# expect: reject scope-rule line=18
# arch: any
# entry: outer
# rule: an entry is started by a host function
import pypto.language as pl


@pl.jit
def entry(x: pl.Tensor[[64, 64], pl.FP16], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = x[0:64, :]
    return out


@pl.jit
def outer(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    out = entry(x, out)
    return out
