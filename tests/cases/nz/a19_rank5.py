# case: a19_rank5
# expect: ok
# arch: any
# entry: HeadRank5.kern
# blocked: wt=[12, 4, 2, 16, 16]
# strides: wt=[2048, 512, 256, 16, 1]
# offsets: L24 wt=[11, 0, 0, 0, 0]
# sizes: L24 wt=[1, 4, 2, 16, 16]
# tile: L24 w_nd=[32, 64]
# row: A19
import pypto.language as pl


@pl.program
class HeadRank5:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        lhs: pl.Tensor[[16, 64], pl.FP16],
        wt: pl.Tensor[[2, 3, 2, 32, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(lhs, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_nd = pl.load(wt, [1, 2, 1, 0, 0], [1, 1, 1, 32, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.reshape(w_nd, [32, 64])
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
