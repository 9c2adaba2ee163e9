# case: halves_of_an_odd_tile
# expect: ok
# arch: any
# entry: Odd.kern
# rule: an odd extent splits into a larger and a smaller half; both lanes have room for the larger one
import pypto.language as pl


@pl.program
class Odd:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(self, q: pl.Tile[[17, 128], pl.FP32, pl.Mem.Mat], out: pl.Out[pl.Tensor[[32, 128], pl.FP32]]) -> pl.Tensor[[32, 128], pl.FP32]:
        rows = pl.tile.aiv_shard(q, split=1)
        room = pl.tile.full([9, 128], dtype=pl.FP32, value=1.0)
        both = pl.tile.add(rows, room)
        return pl.tile.store(both, [0, 0], out)
