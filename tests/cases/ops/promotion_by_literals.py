# case: promotion_by_literals
# expect: ok
# arch: any
# entry: scale
# rule: a literal takes the dtype of what it stands beside, but a float literal makes an integer tensor FP32
import pypto.language as pl


@pl.jit
def scale(
    x: pl.Tensor[[64, 128], pl.FP16],
    n: pl.Tensor[[64, 128], pl.INT32],
    y: pl.Out[pl.Tensor[[64, 128], pl.FP16]],
    z: pl.Out[pl.Tensor[[64, 128], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="scale"):
        y[0:32, :] = pl.mul(x[0:32, :], 2)
        y[32:64, :] = pl.mul(x[32:64, :], 0.5)
        z[0:32, :] = pl.mul(n[0:32, :], 0.25)
        z[32:64, :] = pl.mul(pl.cast(n[32:64, :], target_type=pl.FP32), 0.25)
    return y, z
