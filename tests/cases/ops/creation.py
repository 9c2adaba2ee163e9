# case: creation
# expect: ok
# arch: any
# entry: creation
# rule: a new tensor or tile has the extents and the dtype that the call names
import pypto.language as pl


@pl.jit.incore
def creation():
    a = pl.full([16, 32], dtype=pl.FP32, value=0.0)
    c = pl.tile.full([16, 32], pl.INT32, 7)
    d = pl.arange(0, [1, 64])
    e = pl.create_tensor([64, 64], dtype=pl.BF16)
    k = pl.create_tile([16, 32], pl.FP16, pl.Mem.Vec)
