# case: dependency_that_is_no_task
# expect: reject bad-dependency line=18
# alt-kind: wrong-arguments
# arch: any
# entry: dependency_that_is_no_task
# mentions: task
# rule: deps lists task ids
import pypto.language as pl


@pl.jit
def dependency_that_is_no_task(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP, deps=[f]):
        out[:, :] = pl.add(f, f)
    return out
