# case: undefined_factor_of_an_extent
# expect: reject undefined-name line=14
# at: HEAD_DIN
# mentions: did you mean `HEAD_DIM`
# arch: any
# entry: undefined_factor_of_an_extent
# rule: every name of a computed extent is looked up
import pypto.language as pl

HEAD_DIM = 16


@pl.jit
def undefined_factor_of_an_extent(x: pl.Tensor[[64, 4 * HEAD_DIN], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :] = x[:, 0:64]
    return out
