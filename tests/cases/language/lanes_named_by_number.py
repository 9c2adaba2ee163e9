# case: lanes_named_by_number
# expect: ok
# arch: any
# entry: Lanes.kern
# rule: outside a split scope a call says itself how it splits: 1 rows, 2 columns
import pypto.language as pl


@pl.program
class Lanes:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(self, q: pl.Tile[[128, 128], pl.FP32, pl.Mem.Mat], out: pl.Out[pl.Tensor[[128, 128], pl.FP32]]) -> pl.Tensor[[128, 128], pl.FP32]:
        rows = pl.tile.aiv_shard(q, split=1)
        twice: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.add(rows, rows)
        return pl.tile.store(twice, [0, 0], out)
