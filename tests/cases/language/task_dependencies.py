# case: task_dependencies
# expect: ok
# arch: any
# entry: kern
# rule: task ids, arrays of them and None are dependencies
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    before = None
    with pl.at(level=pl.Level.CORE_GROUP, deps=[before], name_hint="first") as first:
        out[0:32, :] = x[0:32, :]
    with pl.spmd(2, deps=[first], allow_early_resolve=True) as second:
        out[32:64, :] = x[32:64, :]
    return out
