# case: slice_with_a_step
# expect: reject not-allowed-in-kernel line=18
# at: 2
# arch: any
# entry: slice_with_a_step
# rule: every second row
import pypto.language as pl


@pl.jit
def slice_with_a_step(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        a = f[0:64:2, :]
        out[:, :] = pl.add(f, f)
    return out
