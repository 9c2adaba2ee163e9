# case: operand_reshaped_in_mat
# expect: reject shape-mismatch line=19
# arch: any
# entry: kern
# annotation: none
# mentions: Mat
# help-mentions: reshape the tensor
# rule: an operand keeps the rows and columns it was loaded with
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.FP16],
    w: pl.Tensor[[32, 64], pl.FP16],
    out: pl.Out[pl.Tensor[[64, 32], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        turned = pl.reshape(w[:, :], [64, 32])
        out[:, :] = pl.matmul(x, turned, out_dtype=pl.FP32)
    return out
