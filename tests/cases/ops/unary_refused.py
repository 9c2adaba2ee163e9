# case: unary_refused
# expect: reject same-dtype-cast line=14
# at: pl.FP32
# arch: any
# entry: unary_refused
# rule: most keep the type, a cast changes it
import pypto.language as pl


@pl.jit.incore
def unary_refused(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
):
    a = pl.cast(f, pl.FP32)
