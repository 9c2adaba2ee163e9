# case: e12_ragged_worst_case
# expect: reject gm-gap line=22
# related-line=15
# arch: any
# entry: tall_rag
# mentions: 65536; 65535; pto-isa#317; temporary
# note: worst case nothing is loaded
# row: E12
import pypto.language as pl


@pl.jit
def tall_rag(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[65536, 64], pl.FP16, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 144], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="rag"):
        for tt in pl.range(0, 3):
            v0 = tt * 48 + 65424
            live = pl.min(65536 - v0, 48)
            w_t = pl.slice(w, [48, 64], [v0, 0], valid_shape=[live, 64])
            acc = pl.matmul(act[0:16, 0:64], w_t, b_trans=True, out_dtype=pl.FP32)
            dst[0:16, tt * 48 : tt * 48 + 48] = acc
    return dst
