# case: bitwise_refused
# expect: reject operand-dtype line=15
# at: f
# arch: any
# entry: bitwise_refused
# mentions: integer
# rule: bitwise operations take integers
import pypto.language as pl


@pl.jit.incore
def bitwise_refused(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
):
    a = pl.and_(f, 1)
