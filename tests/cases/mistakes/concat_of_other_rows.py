# case: concat_of_other_rows
# expect: reject shape-mismatch line=17
# arch: any
# entry: concat_of_other_rows
# rule: columns are joined only at equal rows
import pypto.language as pl


@pl.jit
def concat_of_other_rows(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        b = pl.concat(f, f[0:32, :])
        out[:, :] = pl.add(f, f)
    return out
