# case: undefined_constant_in_a_shape
# expect: reject undefined-name line=17
# at: HIDDEN_Q
# arch: any
# entry: undefined_constant_in_a_shape
# rule: an undefined constant in the shape of a new tensor
import pypto.language as pl


@pl.jit
def undefined_constant_in_a_shape(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    q_proj = pl.create_tensor([64, HIDDEN_Q], dtype=pl.FP32)
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :] = pl.add(f, f)
    return out
