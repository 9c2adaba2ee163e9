# case: g17_cols_24
# expect: reject store-shape line=24
# related-line=19
# arch: a2a3
# entry: StoreCols24.kern
# mentions: 16; 24
# note: the annotation is legal, the tile is not
# row: G17
import pypto.language as pl


@pl.program
class StoreCols24:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[32, 64], pl.FP16],
        w: pl.Tensor[[24, 64], pl.FP16],
        y_nz: pl.Out[pl.Tensor[[32, 24], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[32, 24], pl.FP32, pl.NZ]:
        x_l1 = pl.load(x, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [24, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y_nz = pl.store(acc, [0, 0], y_nz)
        return y_nz
