# case: literal_written_to_int32
# expect: reject type-mismatch line=19
# arch: any
# entry: literal_written_to_int32
# mentions: INT32; INDEX
# rule: an integer literal is INDEX, not INT32
import pypto.language as pl


@pl.jit
def literal_written_to_int32(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    counts: pl.InOut[pl.Tensor[[16], pl.INT32]],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        pl.write(counts, [0], 1)
        out[:, :] = pl.add(f, f)
    return out
