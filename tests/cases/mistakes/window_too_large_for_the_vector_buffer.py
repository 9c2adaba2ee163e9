# case: window_too_large_for_the_vector_buffer
# expect: reject capacity line=20
# arch: any
# entry: window_too_large_for_the_vector_buffer
# mentions: Vec
# rule: a slice in a core scope becomes a tile
import pypto.language as pl


@pl.jit
def window_too_large_for_the_vector_buffer(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    big: pl.Tensor[[512, 256], pl.FP32],
    big_out: pl.Out[pl.Tensor[[256, 256], pl.FP32]],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        a = pl.add(big[0:256, :], big[256:512, :])
        big_out[:, :] = a
    return out
