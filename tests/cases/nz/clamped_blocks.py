# expect: ok
# arch: a3
# Rows 240 to 255 of the last window do not exist; the product has as many columns as rows were read.
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[240, 64], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[16, 256], pl.FP32]],
):
    for lane in pl.spmd(8, name_hint="panel"):
        x_l1 = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [lane * 32, 0], [32, 64], target_memory=pl.Mem.Mat, clamp=True)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        pl.store(acc, [0, lane * 32], out)
    return out
