# case: f28_add_at_tensor_level
# expect: reject target-memory line=18
# related-line=14
# arch: any
# entry: adds_one
# alt-kind: consumer
# may-warn: not-supported-yet
# row: F28
import pypto.language as pl


@pl.jit
def adds_one(
    w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[32, 64], pl.FP16]],
):
    for _ in pl.spmd(1, name_hint="one"):
        dst[0:32, 0:64] = pl.add(w, 1.0)
    return dst
