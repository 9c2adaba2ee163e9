# case: unknown_decorator_of_jit
# expect: reject unknown-member line=9
# arch: any
# entry: none
# rule: a kind of kernel that does not exist
import pypto.language as pl


@pl.jit.device
def unknown_decorator_of_jit(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :] = pl.add(x, x)
    return out
