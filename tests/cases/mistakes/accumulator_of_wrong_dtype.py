# case: accumulator_of_wrong_dtype
# expect: reject type-mismatch line=19
# arch: any
# entry: accumulator_of_wrong_dtype
# mentions: FP16
# rule: an FP16 accumulator
import pypto.language as pl


@pl.jit
def accumulator_of_wrong_dtype(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        acc = pl.create_tensor([64, 64], dtype=pl.FP16)
        acc = pl.matmul_acc(acc, x, y)
        out[:, :] = pl.add(f, f)
    return out
