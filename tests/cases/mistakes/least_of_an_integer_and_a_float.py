# expect: reject type-mismatch line=13
# at: pl.max(count, peak)
# mentions: two integers or two floats; INT32; FP32
import pypto.language as pl


@pl.jit
def greatest(x: pl.Tensor[[8, 64], pl.FP32], n: pl.Tensor[[8], pl.INT32], out: pl.Out[pl.Tensor[[8], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        for row in pl.range(8):
            peak = pl.read(x, [row, 0])
            count = pl.read(n, [row])
            pl.write(out, [row], pl.max(count, peak))
    return out
