# case: d41_offset_bound_outside
# expect: reject offset-align line=21
# related-line=15
# arch: any
# entry: outside_name
# mentions: shape[-2]; 16
# note: outlining turns n0 into a parameter of the kernel, and facts come from the enclosing function only
# row: D41
import pypto.language as pl


@pl.jit
def outside_name(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[256, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
):
    for nb in pl.range(4):
        n0 = nb * 64
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="inner"):
            w_t = w[n0 : n0 + 64, 0:64]
            dst[0:16, 0:64] = pl.matmul(act[0:16, 0:64], w_t, b_trans=True, out_dtype=pl.FP32)
    return dst
