# case: window_write_of_undefined_in_branch
# expect: reject undefined-name line=14
# arch: any
# entry: inside_branch
import pypto.language as pl


@pl.jit
def inside_branch(
    act: pl.Tensor[[16, 64], pl.FP16], w: pl.Tensor[[256, 64], pl.FP16], out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]
):
    for nb in pl.spmd(4, name_hint="ib"):
        if nb > 1:
            res[0:16, 0:32] = pl.matmul(act[0:16, 0:64], w[0:32, 0:64], b_trans=True, out_dtype=pl.FP32)
        out[0:16, 0:32] = res
    return out
