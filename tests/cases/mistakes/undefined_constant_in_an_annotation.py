# case: undefined_constant_in_an_annotation
# expect: reject undefined-name line=15
# at: COLS
# arch: any
# entry: undefined_constant_in_an_annotation
# rule: an undefined constant in a parameter's type
import pypto.language as pl


@pl.jit
def undefined_constant_in_an_annotation(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    w: pl.Tensor[[64, COLS], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :] = pl.add(f, f)
    return out
