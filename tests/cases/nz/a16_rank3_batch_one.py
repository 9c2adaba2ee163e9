# case: a16_rank3_batch_one
# expect: ok
# arch: any
# entry: LatentRank3BatchOne.kern
# blocked: w=[1, 4, 4, 16, 16]
# strides: w=[4096, 1024, 256, 16, 1]
# offsets: L24 w=[0, 0, 0, 0, 0]
# sizes: L24 w=[1, 4, 4, 16, 16]
# tile: L24 w_nd=[64, 64]
# row: A16
import pypto.language as pl


@pl.program
class LatentRank3BatchOne:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[1, 64, 64], pl.FP16, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        x_l1 = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_nd = pl.load(w, [0, 0, 0], [1, 64, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.reshape(w_nd, [64, 64])
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
