# case: more_blocks_than_rows
# expect: reject loop-bounds line=20
# at: i * 8
# arch: any
# entry: more_blocks_than_rows
# mentions: `i = 8`; 64..72
# rule: an SPMD dispatch over more blocks than the tensor has
import pypto.language as pl


@pl.jit
def more_blocks_than_rows(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.spmd(9, name_hint="rows"):
        i = pl.tile.get_block_idx()
        out[i * 8 : i * 8 + 8, :] = pl.add(f[0:8, :], f[8:16, :])
    return out
