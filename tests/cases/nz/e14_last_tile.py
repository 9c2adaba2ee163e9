# case: e14_last_tile
# expect: ok
# arch: any
# entry: RaggedLastTile.kern
# blocked: w=[1, 16, 50, 16, 32]
# offsets: L26 w=[0, 0, floordiv(o0, 16), 0, 0]
# sizes: L26 w=[1, 16, floordiv(valid, 16), 16, 32]
# tile: L26 b=[256, 512]
# gap: L26 w=800
# row: E14
import pypto.language as pl


@pl.program
class RaggedLastTile:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 512], pl.INT8],
        w: pl.Tensor[[800, 512], pl.INT8, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 1024], pl.INT32]],
    ) -> pl.Tensor[[16, 1024], pl.INT32]:
        a = pl.load(act, [0, 0], [16, 512], target_memory=pl.Mem.Mat)
        for o0 in pl.range(0, 1024, 256):
            valid = pl.min(800 - o0, 256)
            b = pl.load(w, [o0, 0], [256, 512], valid_shape=[valid, 512], target_memory=pl.Mem.Mat)
            res = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, o0], res)
        return res
