# case: operator_on_tensors
# expect: reject type-mismatch line=14
# arch: any
# entry: kern
# mentions: pl.Tensor[[64, 64], pl.FP16]
# help-mentions: pl.add
# rule: types of both operands, and the operation to write
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        y = x + x
        out[:] = x[0:64, :]
    return out
