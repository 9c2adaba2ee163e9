# case: automatic_scope_asked_for
# expect: ok
# arch: any
# entry: kern
# rule: auto_scope=False leaves the scopes to the program
import pypto.language as pl


@pl.jit(auto_scope=False)
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    with pl.scope(mode=pl.ScopeMode.AUTO):
        with pl.at(level=pl.Level.CORE_GROUP):
            out[:] = x[0:64, :]
    return out
