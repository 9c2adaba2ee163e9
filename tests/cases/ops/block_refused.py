# case: block_refused
# expect: reject wrong-arguments line=13
# at: 0
# arch: any
# entry: block_refused
# mentions: takes 0 positional arguments
# rule: which block runs is a number
import pypto.language as pl


@pl.jit.incore
def block_refused():
    a = pl.tile.get_block_idx(0)
