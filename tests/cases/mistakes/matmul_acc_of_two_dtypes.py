# case: matmul_acc_of_two_dtypes
# expect: reject type-mismatch line=19
# arch: any
# entry: matmul_acc_of_two_dtypes
# mentions: FP16; FP32
# rule: FP16 times FP32 into an accumulator
import pypto.language as pl


@pl.jit
def matmul_acc_of_two_dtypes(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        acc = pl.create_tensor([64, 64], dtype=pl.FP32)
        acc = pl.matmul_acc(acc, x[:, 0:64], f)
        out[:, :] = pl.add(f, f)
    return out
