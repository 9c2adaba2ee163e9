# expect: ok
# A created tile that is filled element by element keeps what was written, for every reader.
import pypto.language as pl


@pl.program
class Filled:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 32], pl.INT32],
        out: pl.Out[pl.Tensor[[16, 32], pl.INT32]],
    ) -> pl.Tensor[[16, 32], pl.INT32]:
        t = pl.tile.full([16, 32], dtype=pl.INT32, value=3)
        u = pl.load(x, [0, 0], [16, 32])
        pl.tile.write(t, [0, 0], pl.read(x, [0, 0]))
        out = pl.store(pl.add(t, u), [0, 0], out)
        return out
