# case: augmented_tile
# expect: reject not-allowed-in-kernel line=15
# arch: any
# entry: augmented_tile
# help-mentions: t = pl.sub(t, u)
# rule: tiles have operations, no operators
import pypto.language as pl


@pl.function
def augmented_tile(
    x: pl.Tensor[[64, 64], pl.FP32], y: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]
):
    t, u = pl.load(x, [0, 0], [64, 64]), pl.load(y, [0, 0], [64, 64])
    t -= u
    out = pl.store(t, [0, 0], out)
    return out
