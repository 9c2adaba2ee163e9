# case: result_that_nothing_writes
# expect: ok
# warns: out-not-written line=16
# arch: any
# entry: result_that_nothing_writes
# mentions: second
# rule: a pl.Out parameter that nothing writes
import pypto.language as pl


@pl.jit
def result_that_nothing_writes(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    second: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :] = pl.add(f, f)
    return out
