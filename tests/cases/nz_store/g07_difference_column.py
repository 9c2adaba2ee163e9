# case: g07_difference_column
# expect: reject offset-sign line=27
# related-line=20
# def-line=23
# arch: a2a3
# entry: StoreDifferenceColumn.kern
# mentions: shape[-1]; non-negative
# at: col
# row: G07
import pypto.language as pl


@pl.program
class StoreDifferenceColumn:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[32, 64], pl.FP16],
        w: pl.Tensor[[16, 64], pl.FP16],
        y_nz: pl.Out[pl.Tensor[[32, 128], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[32, 128], pl.FP32, pl.NZ]:
        lane = pl.tile.get_block_idx()
        col = lane * 16 - 16
        x_l1 = pl.load(x, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y_nz = pl.store(acc, [0, col], y_nz)
        return y_nz
