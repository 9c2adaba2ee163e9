# case: accumulator_of_wrong_shape
# expect: reject shape-mismatch line=18
# arch: any
# entry: accumulator_of_wrong_shape
# rule: an accumulator of other extents than the product
import pypto.language as pl


@pl.jit
def accumulator_of_wrong_shape(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        acc = pl.create_tensor([64, 32], dtype=pl.FP32)
        acc = pl.matmul_acc(acc, x, y)
        out[:, :] = pl.add(f, f)
    return out
