# case: chunks_of_a_loop
# expect: reject removed-form line=15
# at: chunk
# also: error removed-form line=14
# arch: any
# entry: kern
# mentions: no longer; chunk
# rule: a form that the language had once is named as such, and the loop is checked as it stands
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[128, 64], pl.FP32], out: pl.Out[pl.Tensor[[128, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.auto_chunk]):
        for i in pl.parallel(4, chunk=2):
            out[i * 32 : i * 32 + 32, :] = pl.add(x[i * 32 : i * 32 + 32, :], 1.0)
    return out
