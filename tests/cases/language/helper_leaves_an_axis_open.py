# case: helper_leaves_an_axis_open
# expect: ok
# arch: any
# entry: kern
# rule: an axis that a helper leaves open is not judged by the numbers of one call: its first block is read whole
import pypto.language as pl

T_DYN = pl.dynamic("T_DYN")


@pl.jit.inline
def rows_by_block(x: pl.Tensor[[T_DYN, 4, 64], pl.FP32], out: pl.Tensor[[T_DYN, 256], pl.FP32]):
    t = pl.tensor.dim(x, 0)
    flat = pl.reshape(x, [t, 256])
    padded = pl.create_tensor([pl.max(t, 16), 256], dtype=pl.FP32)
    for block in pl.spmd(pl.max(t, 16) // 16, name_hint="blocks"):
        row = block * 16
        padded = pl.assemble(padded, pl.add(flat[row : row + 16, 0:256], 1.0), [row, 0])
    for block in pl.spmd(t // 8, name_hint="back"):
        row = block * 8
        out[row : row + 8, 0:256] = padded[row : row + 8, 0:256]
    return out


@pl.jit
def kern(x: pl.Tensor[[8, 4, 64], pl.FP32], out: pl.Out[pl.Tensor[[8, 256], pl.FP32]]):
    out = rows_by_block(x, out)
    return out
