# case: sort_refused
# expect: reject type-mismatch line=15
# at: 60
# arch: any
# entry: sort_refused
# mentions: multiple of 64
# rule: pairs of value and index; runs of a multiple of 64
import pypto.language as pl


@pl.jit.incore
def sort_refused(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
):
    a = pl.mrgsort(f, block_len=60)
