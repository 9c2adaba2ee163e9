# case: f21_prefetch_nz
# expect: reject consumer line=19
# related-line=15
# arch: any
# entry: cold
# mentions: async_prefetch; flatten
# may-warn: not-supported-yet
# row: F21
import pypto.language as pl


@pl.jit
def cold(
    act: pl.Tensor[[16, 512], pl.INT8],
    w: pl.Tensor[[256, 512], pl.INT8, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 256], pl.INT32]],
):
    ctx = pl.prefetch.make_context()
    pl.prefetch.async_prefetch(w, ctx)
    for _ in pl.spmd(1, name_hint="cold_mm"):
        dst[0:16, 0:256] = pl.matmul(act[0:16, 0:512], w[0:256, 0:512], b_trans=True, out_dtype=pl.INT32)
    return dst
