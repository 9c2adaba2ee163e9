# case: layout_mismatch
# expect: reject layout-mismatch line=27
# arch: any
# entry: gives_nd
# mentions: w_plain; w; wants_nz
# rule: an ND tensor handed to an NZ parameter
import pypto.language as pl


@pl.jit.incore
def wants_nz(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
) -> pl.Tensor[[16, 32], pl.FP32]:
    a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
    b = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
    return pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], out)


@pl.jit
def gives_nd(
    act: pl.Tensor[[16, 64], pl.FP16],
    w_plain: pl.Tensor[[32, 64], pl.FP16],
    out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
) -> pl.Tensor[[16, 32], pl.FP32]:
    return wants_nz(act, w_plain, out)
