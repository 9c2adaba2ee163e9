# expect: ok
# arch: a3
# A product of BF16 is rounded to BF16 before anything but a store reads it; sums over 512 need more bits than BF16 has.
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[32, 512], pl.BF16],
    w: pl.Tensor[[512, 32], pl.BF16],
    out: pl.Out[pl.Tensor[[32, 32], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.matmul(x, w)
        out[:, :] = pl.cast(t, target_type=pl.FP32)
    return out
