# expect: ok
# arch: a3
# The cube core gathers for itself: the lanes have no part in what it reads.
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[32, 64], pl.FP16],
    w: pl.Tensor[[64, 64], pl.FP16],
    y: pl.Tensor[[32, 64], pl.FP32],
    z: pl.Out[pl.Tensor[[32, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.UP_DOWN)]):
        k = pl.create_l1([64, 64], pl.FP16)
        for r in pl.range(0, 64):
            k = pl.gather_row(k, w, [63 - r, 0], [r, 0], [1, 64])
        p = pl.matmul(x, k, out_dtype=pl.FP32)
        z[:, :] = pl.add(p, y)
    return z
