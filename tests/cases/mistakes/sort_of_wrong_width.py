# case: sort_of_wrong_width
# expect: reject shape-mismatch line=19
# arch: any
# entry: sort_of_wrong_width
# mentions: 32
# rule: sort32 sorts runs of 32
import pypto.language as pl


@pl.jit
def sort_of_wrong_width(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        idx = pl.arange(0, [1, 48], dtype=pl.UINT32)
        b = pl.sort32(f[0:1, 0:48], idx)
        out[:, :] = pl.add(f, f)
    return out
