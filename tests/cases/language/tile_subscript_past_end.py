# case: tile_subscript_past_end
# expect: reject bounds line=19
# arch: any
# entry: P.kern
# rule: a window of a tile lies inside it
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 64], pl.FP16],
        n: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[64, 64], pl.FP16]],
    ):
        tile = pl.load(x, [0, 0], [16, 64])
        part = tile[0:16, 32:96]
        out = pl.store(tile, [0, 0], out)
        return out
