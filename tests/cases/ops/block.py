# case: block
# expect: ok
# arch: any
# entry: block
# rule: which block runs is a number
import pypto.language as pl


@pl.jit.incore
def block(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
):
    a = pl.tile.get_block_idx()
    c = pl.tile.get_block_num()
    d = pl.slice(f, [1, 128], [a, 0])
