# case: helper_loop_past_an_open_axis
# expect: reject loop-bounds line=16
# at: row
# arch: any
# entry: kern
# mentions: 16..32; `block = 1`; extent 24
# rule: an axis that a helper leaves open is judged by the extents of a call: the second block of 16 leaves its 24 rows
import pypto.language as pl

T_DYN = pl.dynamic("T_DYN")

@pl.jit.inline
def rows_by_block(x: pl.Tensor[[T_DYN, 256], pl.FP32], out: pl.Tensor[[64, 256], pl.FP32]):
    for block in pl.spmd((pl.tensor.dim(x, 0) + 15) // 16, name_hint="blocks"):
        row = block * 16
        out[row : row + 16, :] = pl.add(x[row : row + 16, :], 1.0)
    return out


@pl.jit
def kern(x: pl.Tensor[[24, 256], pl.FP32], out: pl.Out[pl.Tensor[[64, 256], pl.FP32]]):
    out = rows_by_block(x, out)
    return out
