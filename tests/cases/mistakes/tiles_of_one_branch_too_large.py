# expect: reject capacity line=19
# slug: capacity
# mentions: 262144; 188416
# note: both tiles are needed in the branch itself, so that a branch apart does not help
import pypto.language as pl


@pl.jit
def twice(
    src: pl.Tensor[[512, 256], pl.FP32],
    flags: pl.Tensor[[4], pl.INT32],
    out: pl.Out[pl.Tensor[[512, 256], pl.FP32]],
):
    for b in pl.spmd(4):
        first = pl.load(src, [0, 0], [128, 256])
        flag = pl.read(flags, [b])
        if flag > 0:
            out = pl.store(first, [b * 128, 0], out)
        second = pl.load(src, [128, 0], [128, 256])
        out = pl.store(pl.tile.add(first, second), [b * 128, 0], out)
    return out
