# expect: ok
# A loop counts what only the vector core reads; the cube core goes past it.
import pypto.language as pl


@pl.jit.incore
def kern(
    x: pl.Tensor[[16, 16], pl.FP16],
    w: pl.Tensor[[16, 16], pl.FP16],
    c: pl.Tensor[[16, 16], pl.FP32],
    k: pl.Tensor[[16, 16], pl.INT32],
    z: pl.Out[pl.Tensor[[16, 16], pl.FP32]],
):
    a = pl.load(x, [0, 0], [16, 16], target_memory=pl.Mem.Mat)
    b = pl.load(w, [0, 0], [16, 16], target_memory=pl.Mem.Mat)
    t = pl.load(c, [0, 0], [16, 16])
    u = pl.load(k, [0, 0], [16, 16])
    n = pl.read(u, [0, 0])
    for i in pl.range(1, 4):
        n = n + pl.read(u, [0, i])
    p = pl.matmul(a, b)
    s = pl.mul(pl.add(p, t), pl.cast(n, pl.FP32))
    z = pl.store(s, [0, 0], z)
    return z
