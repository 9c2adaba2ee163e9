# expect: ok
# note: each branch needs the buffer once; the tile that the other branch keeps is not alive beside it
import pypto.language as pl

ROWS, COLS = 128, 512


@pl.jit
def gather_rows(
    src: pl.Tensor[[1024, COLS], pl.BF16],
    picks: pl.Tensor[[4, ROWS], pl.INT32],
    out: pl.Out[pl.Tensor[[4 * ROWS, COLS], pl.BF16]],
):
    for b in pl.spmd(4, name_hint="rows"):
        stage = pl.full([ROWS, COLS], dtype=pl.BF16, value=0.0)
        for i in pl.range(ROWS):
            if i < 100:
                pick = pl.read(picks, [b, i])
                if pick >= 0:
                    at = pl.cast(pick, pl.INDEX)
                    stage[i : i + 1, :] = src[at : at + 1, :]
        out[b * ROWS : (b + 1) * ROWS, :] = stage
    return out
