# case: f11_driver_sorts_first
# expect: ok
# arch: any
# entry: aa_driver
# blocked: w_two=[2, 4, 3, 16, 16]
# blocked: w_one=[1, 4, 3, 16, 16]
# offsets: L31 w_two=[1, 0, 0, 0, 0]
# sizes: L31 w_two=[1, 4, 3, 16, 16]
# offsets: L21 w_one=[0, 0, 0, 0, 0]
# row: F11
import pypto.language as pl


@pl.jit.incore
def zz_kernel(
    act: pl.Tensor[[16, 64], pl.FP16],
    w_one: pl.Tensor[[48, 64], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
) -> pl.Tensor[[16, 48], pl.FP32]:
    a_l1 = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
    w_l1 = pl.load(w_one, [0, 0], [48, 64], target_memory=pl.Mem.Mat)
    return pl.store(pl.matmul(a_l1, pl.tile.transpose_view(w_l1)), [0, 0], out)


@pl.jit
def aa_driver(
    act: pl.Tensor[[16, 64], pl.FP16],
    w_two: pl.Tensor[[2, 48, 64], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
) -> pl.Tensor[[16, 48], pl.FP32]:
    return zz_kernel(act, w_two[1], out)
