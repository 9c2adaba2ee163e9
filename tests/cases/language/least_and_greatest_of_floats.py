# expect: ok
# note: `pl.min` and `pl.max` take two integers or two floats; a literal takes the other's dtype
import pypto.language as pl


@pl.jit
def greatest(x: pl.Tensor[[8, 64], pl.FP32], out: pl.Out[pl.Tensor[[8], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        for row in pl.range(8):
            peak = 0.0001
            for col in pl.range(64):
                peak = pl.max(peak, pl.read(x, [row, col]))
            pl.write(out, [row], pl.min(peak, 4))
    return out
