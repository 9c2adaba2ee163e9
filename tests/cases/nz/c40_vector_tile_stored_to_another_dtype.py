# case: c40_vector_tile_stored_to_another_dtype
# expect: reject type-mismatch line=20
# arch: any
# entry: kern
# annotation: none
# mentions: `b`; FP16; FP32
# rule: an NZ operand changes nothing about the dtype of other stores
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[256, 64], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        a = pl.matmul(x, w[32:64], b_trans=True)
        b = pl.add(a, a)
        out[:, :] = b
    return out
