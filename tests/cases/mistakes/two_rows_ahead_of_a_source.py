# expect: reject rank line=10
# note: only axes of one may stand ahead of what the target has
import pypto.language as pl


@pl.jit
def placed(x: pl.Tensor[[2, 16, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        doubled = pl.add(x, x)
        out = pl.assemble(out, doubled, [0, 0])
    return out
