# case: unknown_dtype_in_an_annotation
# expect: reject bad-annotation line=11
# alt-kind: unknown-op, undefined-name
# arch: any
# rule: a dtype that does not exist
import pypto.language as pl


@pl.jit
def unknown_dtype_in_an_annotation(
    x: pl.Tensor[[64, 64], pl.FP23],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :] = pl.add(out, out)
    return out
