# case: one_tensor_as_both_operands
# expect: ok
# arch: any
# rule: a tensor that is both operands is loaded once
import pypto.language as pl


@pl.jit
def twice(x: pl.Tensor[[256, 128], pl.FP32], out: pl.Out[pl.Tensor[[256, 128], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = pl.add(x, x)
    return out
