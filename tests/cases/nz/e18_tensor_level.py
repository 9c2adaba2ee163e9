# case: e18_tensor_level
# expect: reject valid-shape line=20
# related-line=16
# arch: any
# entry: valid_forty
# mentions: 16; 40
# at: 40
# alt-kind: rows-align
# row: E18
import pypto.language as pl


@pl.jit
def valid_forty(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
):
    for _ in pl.spmd(1, name_hint="valid_forty_core"):
        w_t = pl.slice(w, [48, 64], [0, 0], valid_shape=[40, 64])
        dst[0:16, 0:48] = pl.matmul(act[0:16, 0:64], w_t, b_trans=True, out_dtype=pl.FP32)
    return dst
