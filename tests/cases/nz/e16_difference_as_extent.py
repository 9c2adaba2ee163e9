# case: e16_difference_as_extent
# expect: ok
# arch: any
# entry: RaggedDifferenceAsExtent.kern
# blocked: w=[1, 16, 50, 16, 32]
# offsets: L26 w=[0, 0, floordiv(o0, 16), 0, 0]
# sizes: L26 w=[1, 16, floordiv(valid, 16), 16, 32]
# tile: L26 b=[256, 512]
# note: each round stores to columns of its own, so that a wrong step is seen
# row: E16
import pypto.language as pl


@pl.program
class RaggedDifferenceAsExtent:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 512], pl.INT8],
        w: pl.Tensor[[800, 512], pl.INT8, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 1600], pl.INT32]],
    ) -> pl.Tensor[[16, 1600], pl.INT32]:
        a = pl.load(act, [0, 0], [16, 512], target_memory=pl.Mem.Mat)
        for o0 in pl.range(544, 800, 128):
            valid = 800 - o0
            b = pl.load(w, [o0, 0], [256, 512], valid_shape=[valid, 512], target_memory=pl.Mem.Mat)
            res = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 2 * o0], res)
        return res
