# case: d28_difference_times_16
# expect: reject offset-sign line=25
# related-line=19
# def-line=23
# arch: any
# entry: HeadDifferenceTimes16.kern
# mentions: shape[-2]; non-negative
# at: n0
# row: D28
import pypto.language as pl


@pl.program
class HeadDifferenceTimes16:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        hid: pl.Tensor[[16, 64], pl.FP16],
        w_gate: pl.Tensor[[256, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        lane = pl.tile.get_block_idx()
        n0 = (lane - 1) * 16
        x_l1 = pl.load(hid, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_gate, [n0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
