# case: result_parameter_without_out
# expect: ok
# warns: input-written line=20
# arch: any
# entry: result_parameter_without_out
# mentions: y2
# rule: a result that is not declared pl.Out
import pypto.language as pl


@pl.jit
def result_parameter_without_out(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    y2: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        y2[:, :] = pl.add(f, f)
        out[:, :] = pl.add(f, f)
    return out
