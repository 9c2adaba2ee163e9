# case: index_between_sliced_axes
# expect: ok
# arch: any
# entry: kern
# rule: a write whose index drops an axis behind others
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[4, 32], pl.FP32],
    out: pl.Out[pl.Tensor[[4, 8, 32], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        for l in pl.range(8):
            out[:, l, :] = pl.mul(x[:, :], 2.0)
    return out
