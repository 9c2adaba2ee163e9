# case: tile_used_after_its_scope
# expect: reject scope-only-name line=20
# at: a
# arch: any
# entry: tile_used_after_its_scope
# rule: a tile after the core scope that holds it
import pypto.language as pl


@pl.jit
def tile_used_after_its_scope(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        a = pl.load(f, [0, 0], [64, 64])
    with pl.at(level=pl.Level.CORE_GROUP):
        out = pl.store(a, [0, 0], out)
    return out
