# case: scope_keyword
# expect: reject wrong-arguments line=12
# arch: any
# entry: kern
# mentions: name_hint
# rule: a keyword of a scope is one it has
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    with pl.at(level=pl.Level.CORE_GROUP, name_hnt="rows"):
        out[:] = x[0:64, :]
    return out
