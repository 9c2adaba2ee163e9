# expect: ok
# The product takes two thirds of the vector core's memory: the pipe has one slot.
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[256, 32], pl.FP16],
    w: pl.Tensor[[32, 128], pl.FP16],
    out: pl.Out[pl.Tensor[[256, 128], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        acc = pl.matmul(x, w, out_dtype=pl.FP32)
        for r in pl.range(0, 256, 16):
            out[r : r + 16, :] = pl.add(acc[r : r + 16, :], 1.0)
    return out
