# expect: reject consumer line=12
# arch: a3
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[32, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[32, 64], pl.FP32, pl.NZ]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        pl.write(out, [0, 0], pl.read(x, [0, 0]))
    return out
