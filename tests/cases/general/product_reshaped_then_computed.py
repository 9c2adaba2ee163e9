# case: product_reshaped_then_computed
# expect: reject shape-mismatch line=19
# arch: any
# entry: kern
# annotation: none
# mentions: Acc
# rule: also where the vector core goes on with it, which placid check does not lower
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.FP16],
    w: pl.Tensor[[32, 64], pl.FP16],
    out: pl.Out[pl.Tensor[[32, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        acc = pl.matmul(x, w, b_trans=True, out_dtype=pl.FP32)
        turned = pl.reshape(acc, [32, 64])
        out[:, :] = pl.mul(turned, 2.0)
    return out
