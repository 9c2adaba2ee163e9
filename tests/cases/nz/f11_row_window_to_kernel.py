# case: f11_row_window_to_kernel
# expect: reject window line=29
# related-line=26
# arch: any
# entry: zz_driver
# mentions: leading ax
# note: a trailing window handed to a callee stays a tensor slice
# row: F11
import pypto.language as pl


@pl.jit.incore
def aa_kernel(
    act: pl.Tensor[[16, 64], pl.FP16],
    w_one: pl.Tensor[[48, 64], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
) -> pl.Tensor[[16, 48], pl.FP32]:
    a_l1 = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
    w_l1 = pl.load(w_one, [0, 0], [48, 64], target_memory=pl.Mem.Mat)
    return pl.store(pl.matmul(a_l1, pl.tile.transpose_view(w_l1)), [0, 0], out)


@pl.jit
def zz_driver(
    act: pl.Tensor[[16, 64], pl.FP16],
    w_two: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
) -> pl.Tensor[[16, 48], pl.FP32]:
    return aa_kernel(act, w_two[48:96, 0:64], out)
