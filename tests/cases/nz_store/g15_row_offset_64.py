# case: g15_row_offset_64
# expect: reject row-window line=23
# related-line=18
# arch: a2a3
# entry: StoreRowOffset64.kern
# mentions: row; 64
# row: G15
import pypto.language as pl


@pl.program
class StoreRowOffset64:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16],
        y_nz: pl.Out[pl.Tensor[[128, 32], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[128, 32], pl.FP32, pl.NZ]:
        x_l1 = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y_nz = pl.store(acc, [64, 0], y_nz)
        return y_nz
