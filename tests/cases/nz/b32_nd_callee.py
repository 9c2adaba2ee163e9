# case: b32_nd_callee
# expect: any layout-mismatch line=27
# arch: any
# entry: keeps_layout
# note: the layout is propagated or the call refused; the bytes are never read in the other order
# row: B32
import pypto.language as pl


@pl.jit.incore
def mm_nd(
    act: pl.Tensor[[16, 64], pl.FP16],
    w_one: pl.Tensor[[48, 64], pl.FP16],
    out: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
) -> pl.Tensor[[16, 48], pl.FP32]:
    a_l1 = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
    w_l1 = pl.load(w_one, [0, 0], [48, 64], target_memory=pl.Mem.Mat)
    return pl.store(pl.matmul(a_l1, pl.tile.transpose_view(w_l1)), [0, 0], out)


@pl.jit
def keeps_layout(
    act: pl.Tensor[[16, 64], pl.FP16],
    w_nz: pl.Tensor[[48, 64], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
) -> pl.Tensor[[16, 48], pl.FP32]:
    return mm_nd(act, w_nz, out)
