# case: e13_ragged_fits
# expect: ok
# arch: any
# entry: less_tall_rag
# offsets: L22 w=[0, 0, floordiv(v0, 16), 0, 0]
# sizes: L22 w=[1, 4, floordiv(live, 16), 16, 16]
# gap: L22 w=65520
# row: E13
import pypto.language as pl


@pl.jit
def less_tall_rag(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[65520, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 144], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="rag"):
        for tt in pl.range(0, 3):
            v0 = tt * 48 + 65408
            live = pl.min(65520 - v0, 48)
            w_t = pl.slice(w, [48, 64], [v0, 0], valid_shape=[live, 64])
            acc = pl.matmul(act[0:16, 0:64], w_t, b_trans=True, out_dtype=pl.FP32)
            dst[0:16, tt * 48 : tt * 48 + 48] = acc
    return dst
