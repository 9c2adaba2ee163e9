# case: f08_no_narrowing
# expect: ok
# arch: any
# entry: all_of_it
# blocked: w=[2, 4, 6, 16, 16]
# offsets: L18 w=[0, 0, 0, 0, 0]
# sizes: L18 w=[2, 4, 6, 16, 16]
# row: F08
import pypto.language as pl


@pl.jit
def all_of_it(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[2, 96, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 96], pl.FP32]],
):
    w_all = pl.slice(w, [2, 96, 64], [0, 0, 0])
    for _ in pl.spmd(1, name_hint="all_of_it_core"):
        acc = pl.matmul(act[0:16, 0:64], w_all[1:2, 0:96, 0:64], b_trans=True, out_dtype=pl.FP32)
        dst[0:16, 0:96] = pl.reshape(acc, [16, 96])
    return dst
