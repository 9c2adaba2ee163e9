# case: d15_max_of_differences
# expect: reject offset-sign line=25
# related-line=19
# def-line=23
# arch: any
# entry: RouterMaxOfDifferences.kern
# mentions: shape[-2]; non-negative
# at: r0
# row: D15
import pypto.language as pl


@pl.program
class RouterMaxOfDifferences:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        lhs: pl.Tensor[[16, 64], pl.FP16],
        wt: pl.Tensor[[192, 64], pl.FP16, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
    ) -> pl.Tensor[[16, 48], pl.FP32]:
        lane = pl.tile.get_block_idx()
        r0 = pl.max(lane * 48 - 48, lane * 16 - 32)
        x_l1 = pl.load(lhs, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(wt, [r0, 0], [48, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
