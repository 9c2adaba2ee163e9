# expect: reject type-mismatch line=14
# arch: a3
# mentions: Vec; Mat
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        u = pl.add(t, t)
        out = pl.store(u, [0, 0], out)
    return out
