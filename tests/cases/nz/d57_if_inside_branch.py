# case: d57_if_inside_branch
# expect: ok
# arch: any
# entry: inside_branch
# offsets: L19 w=[0, 0, floordiv(r, 16), 0, 0]
# row: D33 (the access inside the branch is proven)
import pypto.language as pl


@pl.jit
def inside_branch(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[256, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    for nb in pl.spmd(4, name_hint="ib"):
        if nb > 1:
            r = nb * 32
            dst[0:16, 0:32] = pl.matmul(act[0:16, 0:64], w[r : r + 32, 0:64], b_trans=True, out_dtype=pl.FP32)
    return dst
