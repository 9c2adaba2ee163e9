# case: split_aiv_lanes
# expect: reject literal-required line=11
# arch: any
# entry: kern
# rule: a core has two vector lanes
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    for lane in pl.split_aiv(4, mode=pl.SplitMode.NONE):
        out[:] = x[0:64, :]
    return out
