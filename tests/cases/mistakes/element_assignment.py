# case: element_assignment
# expect: reject not-allowed-in-kernel line=18
# arch: any
# entry: element_assignment
# mentions: pl.write
# rule: an element is written with pl.write
import pypto.language as pl


@pl.jit
def element_assignment(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[0, 0] = 1.0
        out[:, :] = pl.add(f, f)
    return out
