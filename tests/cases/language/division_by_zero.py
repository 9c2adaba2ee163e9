# case: division_by_zero
# expect: reject type-mismatch line=15
# arch: any
# entry: kern
# rule: a whole number is not divided by zero
import pypto.language as pl

PARTS = 0


@pl.jit.incore
def kern(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    for i in pl.range(4):
        t = pl.load(x, [i * 16, 0], [16, 64])
        row = i // PARTS
        pl.store(t, [row * 16, 0], out)
