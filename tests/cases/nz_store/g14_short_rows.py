# case: g14_short_rows
# expect: reject row-window line=23
# related-line=18
# arch: a2a3
# entry: StoreShortRows.kern
# mentions: 64; 128; row
# row: G14
import pypto.language as pl


@pl.program
class StoreShortRows:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 64], pl.FP16],
        w: pl.Tensor[[16, 64], pl.FP16],
        y_nz: pl.Out[pl.Tensor[[128, 32], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[128, 32], pl.FP32, pl.NZ]:
        x_l1 = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y_nz = pl.store(acc, [0, 0], y_nz)
        return y_nz
