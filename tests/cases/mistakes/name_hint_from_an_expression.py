# case: name_hint_from_an_expression
# expect: reject literal-required line=16
# arch: any
# entry: name_hint_from_an_expression
# rule: a name hint is a literal
import pypto.language as pl


@pl.jit
def name_hint_from_an_expression(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    for i in pl.spmd(4, name_hint="a" + "b"):
        out[i * 16 : i * 16 + 16, :] = pl.add(f[0:16, :], f[16:32, :])
    return out
