# case: subscript_of_wrong_rank
# expect: reject rank line=17
# arch: any
# entry: subscript_of_wrong_rank
# rule: three indices into a matrix
import pypto.language as pl


@pl.jit
def subscript_of_wrong_rank(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        a = x[0, 0:64, 0:64]
        out[:, :] = pl.add(f, f)
    return out
