# case: dependency_on_a_tensor
# expect: reject bad-dependency line=11
# arch: any
# entry: kern
# rule: a dependency is a task
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    with pl.at(level=pl.Level.CORE_GROUP, deps=[x]):
        out[:] = x[0:64, :]
    return out
