# case: f31_reshaped_weight_slice
# expect: reject nz-reshape line=18
# arch: any
# entry: kern
# mentions: [32, 64]; [64, 32]
# rule: the same of a slice that a product reads
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.FP16],
    w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[64, 32], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        part = w[0:32]
        turned = pl.reshape(part, [64, 32])
        out[:, :] = pl.matmul(x, turned, out_dtype=pl.FP32)
    return out
