# case: c12_window_rows_24
# expect: reject rows-align line=22
# related-line=18
# arch: any
# entry: DownWindowRows24.kern
# mentions: 16; 24
# at: 24
# row: C12
import pypto.language as pl


@pl.program
class DownWindowRows24:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        query: pl.Tensor[[16, 64], pl.FP16],
        w_exp: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 24], pl.FP32]],
    ) -> pl.Tensor[[16, 24], pl.FP32]:
        x_l1 = pl.load(query, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_exp, [0, 0], [24, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
