# case: f13_narrow_valid_batch
# expect: reject valid-shape line=17
# related-line=14
# arch: any
# entry: live_batch
# mentions: valid_shape
# row: F13
import pypto.language as pl


@pl.jit
def live_batch(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[4, 48, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
):
    w_v = pl.slice(w, [2, 48, 64], [2, 0, 0], valid_shape=[1, 48, 64])
    for _ in pl.spmd(1, name_hint="live_batch_core"):
        acc = pl.matmul(act[0:16, 0:64], w_v[0:1, 0:48, 0:64], b_trans=True, out_dtype=pl.FP32)
        dst[0:16, 0:48] = pl.reshape(acc, [16, 48])
    return dst
