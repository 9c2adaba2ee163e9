# case: e07_narrowed_valid_rows_fit
# expect: ok
# arch: any
# entry: ExpertNarrowedValidRowsFit.kern
# offsets: L23 w=[0, 0, 0, 0, 0]
# sizes: L23 w=[1, 2, 1, 16, 32]
# tile: L23 w_l1=[32, 64]
# gap: L23 w=65520
# row: E07
import pypto.language as pl


@pl.program
class ExpertNarrowedValidRowsFit:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        lhs: pl.Tensor[[16, 64], pl.INT8],
        w: pl.Tensor[[65536, 64], pl.INT8, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.INT32]],
    ) -> pl.Tensor[[16, 32], pl.INT32]:
        x_l1 = pl.load(lhs, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [32, 64], valid_shape=[16, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
