# case: loop_of_a_helper_runs_too_far
# expect: reject loop-bounds line=14
# at: row
# mentions: `row = 69`; extent 64
# arch: any
# entry: loop_of_a_helper_runs_too_far
# rule: a helper that nothing here calls is judged by its own annotations
import pypto.language as pl


@pl.jit.inline
def loop_of_a_helper_runs_too_far(x: pl.Tensor[[70, 64], pl.FP32], out: pl.Tensor[[64, 64], pl.FP32]):
    for row in pl.spmd(70, name_hint="rows"):
        out[row : row + 1, :] = x[row : row + 1, :]
    return out
