# case: view
# expect: ok
# arch: any
# entry: view
# rule: a view shows elements that are there
import pypto.language as pl


@pl.jit.incore
def view(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
    g: pl.Tensor[[64, 128], pl.FP32],
    n: pl.Scalar[pl.INDEX],
):
    tf = pl.load(f, [0, 0], [64, 128])
    a = pl.slice(tf, [16, 128], [n, 0])
    c = pl.reshape(tf, [128, 64])
    d = pl.transpose(tf, 0, 1)
    e = pl.concat(f, g)
    k = pl.set_validshape(tf, 8, n)
    m = pl.reinterpret_view(f, pl.INT8)
