# case: tile_used_after_its_scope
# expect: reject scope-only-name line=15
# arch: any
# entry: kern
# mentions: core scope
# rule: the user's own name, at the use, and the scope that sets it
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.load(x, [0, 0], [64, 64])
    with pl.at(level=pl.Level.CORE_GROUP):
        out = pl.store(t, [0, 0], out)
    return out
