# case: place_in_a_rebound_name
# expect: reject shape-mismatch line=21
# at: wide
# arch: any
# entry: kern
# mentions: pl.add; [32, 64]; [32, 128]
# absent: part_v
# rule: a report is at the user's own text and names, however often a name was bound and whatever was folded before it
import pypto.language as pl

ROWS = 32
WIDE = 2 * 64


@pl.jit
def kern(x: pl.Tensor[[64, 128], pl.FP32], out: pl.Out[pl.Tensor[[32, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        part = x[0:ROWS, 0:WIDE]
        wide = x[ROWS : 2 * ROWS, 0:WIDE]
        part = part[:, 0 : WIDE // 2]
        part = pl.add(part, wide)
        out[0:ROWS, :] = part
    return out
