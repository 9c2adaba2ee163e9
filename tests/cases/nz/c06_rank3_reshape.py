# case: c06_rank3_reshape
# expect: ok
# arch: any
# entry: DownRank3Reshape.kern
# blocked: w_up=[5, 3, 5, 16, 16]
# offsets: L23 w_up=[3, 0, 0, 0, 0]
# sizes: L23 w_up=[1, 3, 5, 16, 16]
# tile: L23 w_nd=[80, 48]
# row: C06
import pypto.language as pl


@pl.program
class DownRank3Reshape:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        tok: pl.Tensor[[16, 48], pl.BF16],
        w_up: pl.Tensor[[5, 80, 48], pl.BF16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 80], pl.FP32]],
    ) -> pl.Tensor[[16, 80], pl.FP32]:
        x_l1 = pl.load(tok, [0, 0], [16, 48], target_memory=pl.Mem.Mat)
        w_nd = pl.load(w_up, [3, 0, 0], [1, 80, 48], target_memory=pl.Mem.Mat)
        w_l1 = pl.reshape(w_nd, [80, 48])
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
