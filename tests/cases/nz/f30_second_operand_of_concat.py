# case: f30_second_operand_of_concat
# expect: reject consumer line=19
# related-line=15
# arch: any
# entry: appends_weight
# alt-kind: target-memory
# may-warn: not-supported-yet
# row: F30
import pypto.language as pl


@pl.jit
def appends_weight(
    act: pl.Tensor[[32, 64], pl.FP16],
    w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[32, 128], pl.FP16]],
):
    for _ in pl.spmd(1, name_hint="cw"):
        dst[0:32, 0:128] = pl.concat(act[0:32, 0:64], w)
    return dst
