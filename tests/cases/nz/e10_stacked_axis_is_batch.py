# case: e10_stacked_axis_is_batch
# expect: ok
# arch: any
# entry: ProjStackedAxisIsBatch.kern
# offsets: L23 w=[8, 0, 510, 0, 0]
# sizes: L23 w=[1, 2, 2, 16, 32]
# tile: L23 w_nd=[32, 64]
# gap: L23 w=8160
# row: E10
import pypto.language as pl


@pl.program
class ProjStackedAxisIsBatch:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        query: pl.Tensor[[16, 64], pl.INT8],
        w: pl.Tensor[[9, 8192, 64], pl.INT8, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.INT32]],
    ) -> pl.Tensor[[16, 32], pl.INT32]:
        x_l1 = pl.load(query, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_nd = pl.load(w, [8, 8160, 0], [1, 32, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.reshape(w_nd, [32, 64])
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
