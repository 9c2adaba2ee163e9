# case: window_of_changed_tile
# expect: ok
# entry: kern
# rule: a window holds what its tile held when it was taken, whatever is written into the tile before the window is used
import pypto.language as pl


@pl.jit.incore
def kern(
    x: pl.Tensor[[32, 64], pl.FP32],
    y: pl.Tensor[[16, 64], pl.FP32],
    z: pl.Out[pl.Tensor[[32, 64], pl.FP32]],
    u: pl.Out[pl.Tensor[[32, 64], pl.FP32]],
    v: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    a = pl.neg(pl.load(x, [0, 0], [32, 64]))
    p = a[0:16, 0:64]
    pl.write(a, [0, 0], 2.0)
    z = pl.store(p, [0, 0], z)
    z = pl.store(a[16:32, 0:64], [16, 0], z)
    b = pl.load(y, [0, 0], [16, 64])
    q = a[0:16, 0:64]
    a = pl.assemble(a, b, [0, 0])
    u = pl.store(a, [0, 0], u)
    u = pl.store(q, [16, 0], u)
    c = pl.abs(pl.load(x, [0, 0], [32, 64]))
    for i in pl.range(4):
        r = c[0:16, 0:64]
        pl.write(c, [0, i], -7.0)
        v = pl.store(r, [i * 16, 0], v)
    return z, u, v
