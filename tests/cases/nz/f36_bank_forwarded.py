# case: f36_bank_forwarded
# expect: ok
# arch: any
# entry: whole_bank
# blocked: w_bank=[3, 4, 3, 16, 16]
# offsets: L20 w_bank=[e, 0, 0, 0, 0]
# may-warn: offset-sign
# row: C06, F31 (the whole bank forwarded, the panel chosen inside)
import pypto.language as pl


@pl.jit.incore
def panel_mm(
    act: pl.Tensor[[16, 64], pl.FP16],
    w_bank: pl.Tensor[[3, 48, 64], pl.FP16, pl.NZ],
    e: pl.Scalar[pl.INDEX],
    out: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
) -> pl.Tensor[[16, 48], pl.FP32]:
    a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
    p = pl.load(w_bank, [e, 0, 0], [1, 48, 64], target_memory=pl.Mem.Mat)
    b = pl.reshape(p, [48, 64])
    return pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], out)


@pl.jit
def whole_bank(
    act: pl.Tensor[[16, 64], pl.FP16],
    w_bank: pl.Tensor[[3, 48, 64], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
) -> pl.Tensor[[16, 48], pl.FP32]:
    for e in pl.range(3):
        out = panel_mm(act, w_bank, e, out)
    return out
