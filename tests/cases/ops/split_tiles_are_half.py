# case: split_tiles_are_half
# expect: ok
# arch: a3
# entry: halves
# rule: `pl.split` leaves each vector lane half of every tile, so these four take 128 KiB of its memory
import pypto.language as pl


@pl.jit
def halves(
    a: pl.Tensor[[128, 128], pl.FP32],
    b: pl.Tensor[[128, 128], pl.FP32],
    out: pl.Out[pl.Tensor[[128, 128], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="halves", optimizations=[pl.split(pl.SplitMode.UP_DOWN)]):
        x = pl.load(a, [0, 0], [128, 128])
        y = pl.load(b, [0, 0], [128, 128])
        z = pl.add(x, y)
        w = pl.mul(pl.sub(z, x), y)
        out = pl.store(pl.add(w, z), [0, 0], out)
    return out
