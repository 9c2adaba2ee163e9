# expect: reject wrong-arguments line=6
# arch: a3
import pypto.language as pl


@pl.jit(auto_scop=False)
def kern(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :] = pl.add(x, 0o17)
    return out
