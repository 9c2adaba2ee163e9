# case: elementwise
# expect: ok
# arch: any
# entry: elementwise
# rule: shapes broadcast, dtypes promote
import pypto.language as pl


@pl.jit.incore
def elementwise(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
    g: pl.Tensor[[64, 128], pl.FP32],
    b: pl.Tensor[[64, 128], pl.BF16],
    row: pl.Tensor[[1, 128], pl.FP32],
    col: pl.Tensor[[64, 1], pl.FP32],
):
    tf = pl.load(f, [0, 0], [64, 128])
    tg = pl.load(g, [0, 0], [64, 128])
    a = pl.add(f, g)
    c = pl.add(f, row)
    d = pl.mul(row, col)
    e = pl.add(b, f)
    k = pl.maximum(tf, tg)
    m = pl.cmp(tf, tg, cmp_type=2)
