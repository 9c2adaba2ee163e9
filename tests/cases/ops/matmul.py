# case: matmul
# expect: ok
# arch: any
# entry: matmul
# rule: the contracted axes are equal, and so are the dtypes
import pypto.language as pl


@pl.jit.incore
def matmul(
    h: pl.Tensor[[64, 128], pl.FP16],
    w: pl.Tensor[[128, 64], pl.FP16],
):
    a = pl.matmul(h, w, out_dtype=pl.FP32)
    c = pl.matmul(h, h, b_trans=True)
    d = pl.matmul(h, w)
    d2 = pl.full([64, 64], dtype=pl.FP32, value=0.0)
    e = pl.matmul_acc(d2, h, w)
