# case: sort
# expect: ok
# arch: any
# entry: sort
# rule: pairs of value and index; runs of a multiple of 64
import pypto.language as pl


@pl.jit.incore
def sort(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
    g: pl.Tensor[[64, 128], pl.FP32],
    u: pl.Tensor[[64, 128], pl.UINT32],
):
    a = pl.sort32(f, u)
    c = pl.mrgsort(f, block_len=64)
    d = pl.mrgsort(f, g)
