# case: c16_tile_load_no_target
# expect: reject target-memory line=20
# related-line=17
# arch: any
# entry: VectorTileLoadNoTarget.kern
# mentions: Mat
# at: pl.tile.load(w, [0, 0], [32, 64], [32, 64])
# row: C16
import pypto.language as pl


@pl.program
class VectorTileLoadNoTarget:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[32, 64], pl.FP16]],
    ) -> pl.Tensor[[32, 64], pl.FP16]:
        t = pl.tile.load(w, [0, 0], [32, 64], [32, 64])
        res = pl.store(t, [0, 0], res)
        return res
