# case: annotation_without_dtype
# expect: reject bad-annotation line=9
# arch: any
# rule: a tensor type without dtype
import pypto.language as pl


@pl.jit
def annotation_without_dtype(x: pl.Tensor[[64, 64]], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :] = pl.add(out, out)
    return out
