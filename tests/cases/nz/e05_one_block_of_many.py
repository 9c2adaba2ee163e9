# case: e05_one_block_of_many
# expect: ok
# arch: any
# entry: LatentOneBlockOfMany.kern
# offsets: L22 w=[0, 2, 0, 0, 0]
# sizes: L22 w=[1, 1, 2, 16, 32]
# tile: L22 w_l1=[32, 32]
# row: E05
import pypto.language as pl


@pl.program
class LatentOneBlockOfMany:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        lhs: pl.Tensor[[16, 128], pl.INT8],
        w: pl.Tensor[[65568, 128], pl.INT8, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 32], pl.INT32]],
    ) -> pl.Tensor[[16, 32], pl.INT32]:
        x_l1 = pl.load(lhs, [0, 64], [16, 32], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 64], [32, 32], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
