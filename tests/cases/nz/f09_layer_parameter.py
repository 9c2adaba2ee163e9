# case: f09_layer_parameter
# expect: ok
# arch: any
# entry: at_layer
# offsets: L19 w=[layer, 0, 0, 0, 0]
# sizes: L19 w=[1, 4, 3, 16, 16]
# may-warn: offset-sign
# row: F09
import pypto.language as pl


@pl.jit
def at_layer(
    act: pl.Tensor[[16, 64], pl.BF16],
    w: pl.Tensor[[6, 48, 64], pl.BF16, pl.NZ],
    layer: pl.Scalar[pl.INDEX],
    dst: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
):
    w_l = pl.slice(w, [1, 48, 64], [layer, 0, 0])
    for _ in pl.spmd(1, name_hint="at_layer_core"):
        acc = pl.matmul(act[0:16, 0:64], w_l[0:1, 0:48, 0:64], b_trans=True, out_dtype=pl.FP32)
        dst[0:16, 0:48] = pl.reshape(acc, [16, 48])
    return dst
