# case: c14_tensor_level_vec
# expect: reject target-memory line=19
# related-line=15
# arch: any
# entry: adds_window
# mentions: Mat
# alt-kind: consumer
# note: a slice that no matmul reads becomes a Vec load
# row: C14
import pypto.language as pl


@pl.jit
def adds_window(
    w: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[32, 64], pl.FP16]],
):
    for _ in pl.spmd(1, name_hint="aw"):
        w_t = w[32:64, 0:64]
        dst[0:32, 0:64] = pl.add(w_t, w_t)
    return dst
