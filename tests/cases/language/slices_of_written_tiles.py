# case: slices_of_written_tiles
# expect: ok
# arch: any
# entry: Windows
# rule: a slice holds what the tile held when it was taken, whatever name an element is written through afterwards
import pypto.language as pl


@pl.program
class Windows:
    @pl.function(type=pl.FunctionType.InCore)
    def view(
        self,
        v: pl.Scalar[pl.FP32],
        x: pl.Tensor[[32, 64], pl.FP32],
        out: pl.Out[pl.Tensor[[8, 32], pl.FP32]],
    ) -> pl.Tensor[[8, 32], pl.FP32]:
        t = pl.load(x, [0, 0], [32, 64])
        u = pl.reshape(t, [64, 32])
        a = pl.tile.slice(t, [8, 64], [8, 0])
        pl.tile.write(u, [16, 0], v)
        b = pl.tile.slice(a, [8, 32], [0, 0])
        out = pl.store(b, [0, 0], out)
        return out

    @pl.function(type=pl.FunctionType.InCore)
    def in_rounds(
        self,
        v: pl.Scalar[pl.FP32],
        x: pl.Tensor[[32, 64], pl.FP32],
        out: pl.Out[pl.Tensor[[32, 32], pl.FP32]],
    ) -> pl.Tensor[[32, 32], pl.FP32]:
        t = pl.load(x, [0, 0], [32, 64])
        a = pl.tile.slice(t, [8, 64], [8, 0])
        for i in pl.range(0, 4):
            b = pl.tile.slice(a, [8, 32], [0, 0])
            out = pl.store(b, [i * 8, 0], out)
            pl.tile.write(t, [8, i], v)
        return out
