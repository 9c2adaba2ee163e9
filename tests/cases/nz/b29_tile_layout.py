# case: b29_tile_layout
# expect: reject bad-annotation line=18
# arch: any
# entry: TileNz.kern
# mentions: layout; Tensor
# row: B29
import pypto.language as pl


@pl.program
class TileNz:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        t: pl.Tile[[64, 64], pl.FP32, pl.NZ] = pl.load(act, [0, 0], [64, 64], target_memory=pl.Mem.Vec)
        res = pl.store(t, [0, 0], res)
        return res
