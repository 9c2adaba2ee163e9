# case: a20_rank6
# expect: ok
# arch: any
# entry: RouterRank6.kern
# blocked: w_up=[16, 1, 1, 16, 32]
# strides: w_up=[512, 512, 512, 32, 1]
# offsets: L24 w_up=[11, 0, 0, 0, 0]
# sizes: L24 w_up=[1, 1, 1, 16, 32]
# tile: L24 w_nd=[16, 32]
# row: A20
import pypto.language as pl


@pl.program
class RouterRank6:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 32], pl.INT8],
        w_up: pl.Tensor[[2, 2, 2, 2, 16, 32], pl.INT8, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 16], pl.INT32]],
    ) -> pl.Tensor[[16, 16], pl.INT32]:
        x_l1 = pl.load(act, [0, 0], [16, 32], target_memory=pl.Mem.Mat)
        w_nd = pl.load(w_up, [1, 0, 1, 1, 0, 0], [1, 1, 1, 1, 16, 32], target_memory=pl.Mem.Mat)
        w_l1 = pl.reshape(w_nd, [16, 32])
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
