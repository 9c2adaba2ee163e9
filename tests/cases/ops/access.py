# case: access
# expect: ok
# arch: any
# entry: access
# rule: a load, a store, a read and a write agree with the tensor in rank and dtype
import pypto.language as pl


@pl.jit.incore
def access(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
    i: pl.InOut[pl.Tensor[[64, 128], pl.INT32]],
    n: pl.Scalar[pl.INDEX],
):
    a = pl.load(f, [0, 0], [32, 128])
    f = pl.store(a, [32, 0], f)
    v = pl.read(i, [0, n])
    i = pl.write(i, [0, 1], v)
