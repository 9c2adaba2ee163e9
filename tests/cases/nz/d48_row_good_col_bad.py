# case: d48_row_good_col_bad
# expect: reject offset-align line=26
# related-line=19
# def-line=24
# arch: any
# entry: GateRowGoodColBad.kern
# mentions: shape[-1]; 16
# at: c0
# row: D48
import pypto.language as pl


@pl.program
class GateRowGoodColBad:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        lhs: pl.Tensor[[16, 64], pl.FP16],
        wt: pl.Tensor[[256, 512], pl.FP16, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        lane = pl.tile.get_block_idx()
        r0 = lane * 32
        c0 = lane * 24
        x_l1 = pl.load(lhs, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(wt, [r0, c0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
