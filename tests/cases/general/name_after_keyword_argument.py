# expect: reject syntax-error line=12
# also: error wrong-arguments line=12
# arch: a3
# at: [0, 0]
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.load(x, [0, 0], shapes=[64, 64])
        out = pl.store(tile=t, [0, 0], output_tensor=out)
    return out
