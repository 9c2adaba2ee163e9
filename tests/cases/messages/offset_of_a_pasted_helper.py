# case: offset_of_a_pasted_helper
# expect: reject nz-offset-align line=13
# arch: any
# entry: kern
# mentions: `rows` is pasted in here
# related-line=24
# rule: an offset refused in a helper names the call that gave it
import pypto.language as pl


@pl.jit.inline
def rows(b: pl.Tensor[[256, 64], pl.FP16, pl.NZ], r: pl.Scalar[pl.INDEX]):
    t = b[r : r + 32, :]
    return t


@pl.jit
def kern(
    x: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[256, 64], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    for i in pl.spmd(2, name_hint="gate"):
        out[:, :] = pl.matmul(x, rows(w, i * 8), b_trans=True, out_dtype=pl.FP32)
    return out
