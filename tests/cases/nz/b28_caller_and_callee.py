# case: b28_caller_and_callee
# expect: reject rows-align line=17
# also: error rows-align line=28
# arch: any
# entry: caller
# mentions: 16; 40
# at: pl.NZ
# kernel: callee
# note: each annotation is judged for itself; the uses of both are poisoned
# row: B28
import pypto.language as pl


@pl.jit.incore
def callee(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[40, 64], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
) -> pl.Tensor[[16, 32], pl.FP32]:
    a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
    b = pl.load(w, [8, 0], [32, 64], target_memory=pl.Mem.Mat)
    return pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], out)


@pl.jit
def caller(
    act: pl.Tensor[[16, 64], pl.FP16],
    w_forty: pl.Tensor[[40, 64], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
) -> pl.Tensor[[16, 32], pl.FP32]:
    return callee(act, w_forty, out)
