# expect: ok
# Single columns of a tile: one that is known, and one that a loop counts.
import pypto.language as pl


@pl.program
class Columns:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 64], pl.FP32],
        y: pl.Tensor[[16, 64], pl.FP32],
        out: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        weights = pl.load(x, [0, 0], [16, 64])
        tile = pl.load(y, [0, 0], [16, 64])
        total = pl.row_expand_mul(tile, pl.slice(weights, [16, 1], [0, 13]))
        for c in pl.range(60, 64):
            total = pl.add(total, pl.row_expand_mul(tile, pl.slice(weights, [16, 1], [0, c])))
        out = pl.store(total, [0, 0], out)
        return out
