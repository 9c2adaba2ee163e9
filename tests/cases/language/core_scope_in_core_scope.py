# case: core_scope_in_core_scope
# expect: reject scope-rule line=12
# arch: any
# entry: kern
# rule: a core scope holds none
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        for i in pl.spmd(4, name_hint="inner"):
            out[:] = x[0:64, :]
    return out
