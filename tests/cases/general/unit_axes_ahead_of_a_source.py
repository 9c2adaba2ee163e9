# expect: ok
# note: leading axes of one say nothing of the place: a source may have more of them than its target
import pypto.language as pl


@pl.jit
def placed(x: pl.Tensor[[1, 16, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        doubled = pl.add(x, x)
        for i in pl.range(4):
            out = pl.assemble(out, doubled, [i * 16, 0])
    return out
