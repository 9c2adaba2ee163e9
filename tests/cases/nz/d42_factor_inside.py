# case: d42_factor_inside
# expect: reject offset-sign line=21
# related-line=15
# def-line=20
# arch: any
# entry: outside_name
# mentions: shape[-2]; non-negative
# row: D42
import pypto.language as pl


@pl.jit
def outside_name(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[256, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
):
    for nb in pl.range(4):
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="inner"):
            n0 = nb * 64
            w_t = w[n0 : n0 + 64, 0:64]
            dst[0:16, 0:64] = pl.matmul(act[0:16, 0:64], w_t, b_trans=True, out_dtype=pl.FP32)
    return dst
