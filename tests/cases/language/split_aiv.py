# case: split_aiv
# expect: ok
# arch: any
# entry: kern
# rule: both vector lanes run the body
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    for lane in pl.split_aiv(2, mode=pl.SplitMode.NONE):
        out[lane * 32 : lane * 32 + 32, :] = x[lane * 32 : lane * 32 + 32, :]
    return out
