# expect: ok
# A conversion by way of scratch, of as many rows as are left: all of the tile goes through it.
import pypto.language as pl

M = 40


@pl.program
class Ragged:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[M, 64], pl.FP16],
        y: pl.Tensor[[M, 64], pl.FP32],
        z: pl.Out[pl.Tensor[[M, 64], pl.INT8]],
        w: pl.Out[pl.Tensor[[M, 64], pl.INT16]],
    ) -> tuple[pl.Tensor[[M, 64], pl.INT8], pl.Tensor[[M, 64], pl.INT16]]:
        for i in pl.range(0, M, 16):
            rows = pl.min(M - i, 16)
            a = pl.load(x, [i, 0], [16, 64], valid_shape=[rows, 64])
            z = pl.store(pl.cast(a, pl.INT8, mode="trunc"), [i, 0], z)
            b = pl.load(y, [i, 0], [16, 64], valid_shape=[rows, 64])
            w = pl.store(pl.cast(b, pl.INT16, mode="rint"), [i, 0], w)
        return z, w
