# case: split_aiv_nested
# expect: reject scope-rule line=12
# arch: any
# entry: kern
# rule: a split body already runs on both lanes
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    for lane in pl.split_aiv(2, mode=pl.SplitMode.NONE):
        for other in pl.split_aiv(2, mode=pl.SplitMode.NONE):
            out[:] = x[0:64, :]
    return out
