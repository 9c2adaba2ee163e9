# case: matmul_refused
# expect: reject shape-mismatch line=15
# at: pl.matmul(h, h)
# arch: any
# entry: matmul_refused
# mentions: contracted
# rule: the contracted axes are equal, and so are the dtypes
import pypto.language as pl


@pl.jit.incore
def matmul_refused(
    h: pl.Tensor[[64, 128], pl.FP16],
):
    a = pl.matmul(h, h)
