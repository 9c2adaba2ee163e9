# case: automatic_scope
# expect: reject scope-rule line=11
# arch: any
# entry: kern
# rule: an automatic scope needs a function that is none
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    with pl.scope(mode=pl.ScopeMode.AUTO):
        with pl.at(level=pl.Level.CORE_GROUP):
            out[:] = x[0:64, :]
    return out
