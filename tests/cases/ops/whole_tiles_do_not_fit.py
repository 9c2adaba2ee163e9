# case: whole_tiles_do_not_fit
# expect: reject capacity line=18
# arch: a3
# entry: whole
# rule: the program of split_tiles_are_half without the split: three tiles of 64 KiB at once
import pypto.language as pl


@pl.jit
def whole(
    a: pl.Tensor[[128, 128], pl.FP32],
    b: pl.Tensor[[128, 128], pl.FP32],
    out: pl.Out[pl.Tensor[[128, 128], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="whole"):
        x = pl.load(a, [0, 0], [128, 128])
        y = pl.load(b, [0, 0], [128, 128])
        z = pl.add(x, y)
        w = pl.mul(pl.sub(z, x), y)
        out = pl.store(pl.add(w, z), [0, 0], out)
    return out
