# case: e14_last_tile_tensor_level
# expect: ok
# arch: any
# entry: ragged_columns
# blocked: w=[1, 16, 50, 16, 32]
# offsets: L21 w=[0, 0, floordiv(o0, 16), 0, 0]
# sizes: L21 w=[1, 16, floordiv(valid, 16), 16, 32]
# row: E14
import pypto.language as pl


@pl.jit
def ragged_columns(
    act: pl.Tensor[[16, 512], pl.INT8],
    w: pl.Tensor[[800, 512], pl.INT8, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 1024], pl.INT32]],
):
    for ob in pl.spmd(4, name_hint="rc"):
        o0 = ob * 256
        valid = pl.min(800 - o0, 256)
        w_t = pl.slice(w, [256, 512], [o0, 0], valid_shape=[valid, 512])
        dst[0:16, o0 : o0 + 256] = pl.matmul(act[0:16, 0:512], w_t, b_trans=True, out_dtype=pl.INT32)
    return dst
