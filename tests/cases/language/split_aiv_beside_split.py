# case: split_aiv_beside_split
# expect: reject scope-rule line=12
# arch: any
# entry: kern
# rule: one kernel is split once
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.UP_DOWN)]):
        for lane in pl.split_aiv(2, mode=pl.SplitMode.NONE):
            out[:] = x[0:64, :]
    return out
