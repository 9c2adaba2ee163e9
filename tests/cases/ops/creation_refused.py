# case: creation_refused
# expect: reject shape-mismatch line=13
# at: [2, 64]
# arch: any
# entry: creation_refused
# mentions: leading extents are 1
# rule: a new tensor or tile has the extents and the dtype that the call names
import pypto.language as pl


@pl.jit.incore
def creation_refused():
    a = pl.arange(0, [2, 64])
