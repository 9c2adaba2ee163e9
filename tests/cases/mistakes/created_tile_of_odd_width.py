# case: created_tile_of_odd_width
# expect: reject tile-align line=20
# arch: any
# entry: CreatedTileOfOddWidth.kern
# mentions: 12
# rule: a created Vec tile with rows of 12 bytes
import pypto.language as pl


@pl.program
class CreatedTileOfOddWidth:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        t = pl.create_tile([16, 3], dtype=pl.FP32)
        b = pl.load(f, [0, 0], [64, 64])
        res = pl.store(b, [0, 0], res)
        return res
