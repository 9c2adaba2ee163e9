# case: call_arity
# expect: reject wrong-arguments line=27
# arch: any
# entry: gives_two
# mentions: takes_three
# rule: the arguments of a kernel call
import pypto.language as pl


@pl.jit.incore
def takes_three(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
) -> pl.Tensor[[16, 32], pl.FP32]:
    a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
    b = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
    return pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], out)


@pl.jit
def gives_two(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
) -> pl.Tensor[[16, 32], pl.FP32]:
    return takes_three(act, w)
