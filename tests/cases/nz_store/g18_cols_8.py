# case: g18_cols_8
# expect: reject store-shape line=23
# related-line=18
# arch: a2a3
# entry: StoreCols8.kern
# mentions: 16; 8
# row: G18
import pypto.language as pl


@pl.program
class StoreCols8:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 64], pl.FP16],
        w: pl.Tensor[[8, 64], pl.FP16],
        y_nz: pl.Out[pl.Tensor[[64, 8], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[64, 8], pl.FP32, pl.NZ]:
        x_l1 = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [8, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y_nz = pl.store(acc, [0, 0], y_nz)
        return y_nz
