# case: column_vector_of_wrong_length
# expect: reject shape-mismatch line=18
# arch: any
# entry: column_vector_of_wrong_length
# rule: a column broadcast wants one value a column
import pypto.language as pl


@pl.jit
def column_vector_of_wrong_length(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        v = f[0:1, 0:32]
        b = pl.col_expand_mul(f, v)
        out[:, :] = pl.add(f, f)
    return out
