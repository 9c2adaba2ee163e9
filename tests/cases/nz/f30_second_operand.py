# case: f30_second_operand
# expect: reject consumer line=20
# related-line=16
# arch: any
# entry: adds_weight
# mentions: w
# alt-kind: target-memory
# may-warn: not-supported-yet
# row: F30
import pypto.language as pl


@pl.jit
def adds_weight(
    act: pl.Tensor[[32, 64], pl.FP16],
    w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[32, 64], pl.FP16]],
):
    for _ in pl.spmd(1, name_hint="aw"):
        dst[0:32, 0:64] = pl.add(act[0:32, 0:64], w)
    return dst
