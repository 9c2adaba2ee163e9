# case: d02_block_times_8
# expect: reject offset-align line=26
# related-line=20
# def-line=24
# arch: any
# entry: HeadBlockTimes8.kern
# mentions: shape[-2]; 16
# help-mentions: product; loop; sum
# at: n0
# row: D02
import pypto.language as pl


@pl.program
class HeadBlockTimes8:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[512, 64], pl.FP16, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        lane = pl.tile.get_block_idx()
        n0 = lane * 8
        x_l1 = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [n0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
