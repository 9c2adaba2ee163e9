# case: a22_logical_rank5_lookalike
# expect: ok
# arch: any
# entry: HeadLogicalRank5Lookalike.kern
# blocked: bank=[24, 1, 1, 16, 32]
# strides: bank=[512, 512, 512, 32, 1]
# offsets: L25 bank=[23, 0, 0, 0, 0]
# sizes: L25 bank=[1, 1, 1, 16, 32]
# tile: L25 w_nd=[16, 32]
# note: ends in [16, c0] and is still logical: blocking must not be skipped
# row: A22
import pypto.language as pl


@pl.program
class HeadLogicalRank5Lookalike:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        src_x: pl.Tensor[[16, 32], pl.INT8],
        bank: pl.Tensor[[2, 3, 4, 16, 32], pl.INT8, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 16], pl.INT32]],
    ) -> pl.Tensor[[16, 16], pl.INT32]:
        x_l1 = pl.load(src_x, [0, 0], [16, 32], target_memory=pl.Mem.Mat)
        w_nd = pl.load(bank, [1, 2, 3, 0, 0], [1, 1, 1, 16, 32], target_memory=pl.Mem.Mat)
        w_l1 = pl.reshape(w_nd, [16, 32])
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
