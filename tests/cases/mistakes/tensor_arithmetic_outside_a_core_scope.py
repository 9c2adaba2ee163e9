# case: tensor_arithmetic_outside_a_core_scope
# expect: reject misplaced-op line=17
# arch: any
# entry: tensor_arithmetic_outside_a_core_scope
# mentions: pl.add
# rule: tensor arithmetic outside every core scope
import pypto.language as pl


@pl.jit
def tensor_arithmetic_outside_a_core_scope(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    a = pl.add(f, f)
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :] = pl.add(f, f)
    return out
