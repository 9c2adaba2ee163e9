# case: f05_symbolic_extent_inner_narrowed
# expect: reject window line=19
# related-line=15
# arch: any
# entry: sym_narrow
# mentions: leading axis; shape[1]
# note: a symbolic extent counts as spanning
# row: F05
import pypto.language as pl


@pl.jit
def sym_narrow(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[4, 3, 32, 64], pl.FP16, pl.NZ],
    n: pl.Scalar[pl.INDEX],
    dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    w_win = pl.slice(w, [n, 2, 32, 64], [0, 1, 0, 0])
    for _ in pl.spmd(1, name_hint="sym_narrow_core"):
        acc = pl.matmul(act[0:16, 0:64], w_win[0:1, 0:1, 0:32, 0:64], b_trans=True, out_dtype=pl.FP32)
        dst[0:16, 0:32] = pl.reshape(acc, [16, 32])
    return dst
