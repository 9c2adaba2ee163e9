# case: default_argument_of_a_helper
# expect: reject nz-offset-align line=13
# related-line=17
# arch: any
# entry: entry
# mentions: row; 24
# rule: a helper's default value is what a call without that argument passes
import pypto.language as pl


@pl.jit.inline
def scaled(w: pl.Tensor[[192, 64], pl.FP16, pl.NZ], row: pl.Scalar[pl.INDEX] = 24):
    return pl.load(w, [row, 0], [48, 64], target_memory=pl.Mem.Mat)


@pl.jit.incore
def entry(w: pl.Tensor[[192, 64], pl.FP16, pl.NZ]):
    t = scaled(w)
