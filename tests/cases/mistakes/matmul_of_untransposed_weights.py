# case: matmul_of_untransposed_weights
# expect: reject shape-mismatch line=18
# arch: any
# entry: matmul_of_untransposed_weights
# mentions: 128; 64
# rule: K of both operands, where the second is transposed
import pypto.language as pl


@pl.jit
def matmul_of_untransposed_weights(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        acc = pl.matmul(x, y, out_dtype=pl.FP32, b_trans=True)
        out[:, :] = acc
    return out
