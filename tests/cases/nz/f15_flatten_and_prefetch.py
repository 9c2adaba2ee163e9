# case: f15_flatten_and_prefetch
# expect: ok
# arch: any
# entry: warmed
# blocked: w=[1, 16, 16, 16, 32]
# may-warn: not-supported-yet
# row: F15
import pypto.language as pl


@pl.jit
def warmed(
    act: pl.Tensor[[16, 512], pl.INT8],
    w: pl.Tensor[[256, 512], pl.INT8, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 256], pl.INT32]],
):
    ctx = pl.prefetch.make_context()
    w_flat = pl.reshape(w, [256 * 512])
    pl.prefetch.async_prefetch(w_flat, ctx)
    for _ in pl.spmd(1, name_hint="warmed_mm"):
        dst[0:16, 0:256] = pl.matmul(act[0:16, 0:512], w[0:256, 0:512], b_trans=True, out_dtype=pl.INT32)
    return dst
