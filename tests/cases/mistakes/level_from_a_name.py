# case: level_from_a_name
# expect: reject literal-required line=17
# arch: any
# entry: level_from_a_name
# mentions: pl.Level
# rule: the level of a core scope is written literally
import pypto.language as pl


@pl.jit
def level_from_a_name(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=2):
        out[:, :] = pl.add(f, f)
    return out
