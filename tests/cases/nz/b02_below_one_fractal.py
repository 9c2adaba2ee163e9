# case: b02_below_one_fractal
# expect: reject rows-align line=17
# arch: any
# entry: ExpertBelowOneFractal.kern
# mentions: 16; 8
# at: pl.NZ
# row: B02
import pypto.language as pl


@pl.program
class ExpertBelowOneFractal:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        query: pl.Tensor[[16, 32], pl.INT8],
        w_o: pl.Tensor[[8, 32], pl.INT8, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 8], pl.INT32]],
    ) -> pl.Tensor[[16, 8], pl.INT32]:
        x_l1 = pl.load(query, [0, 0], [16, 32], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_o, [0, 0], [8, 32], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
