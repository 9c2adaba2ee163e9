# case: d45_batch_of_unknown_sign
# expect: ok
# arch: any
# entry: UpBatchOfUnknownSign.kern
# offsets: L24 w_head=[e, 0, 0, 0, 0]
# warns: offset-sign line=24
# note: a negative batch is clamped and would silently read panel 0
# row: D45
import pypto.language as pl


@pl.program
class UpBatchOfUnknownSign:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        src_x: pl.Tensor[[16, 64], pl.FP16],
        w_head: pl.Tensor[[4, 32, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        lane = pl.tile.get_block_idx()
        e = lane - 1
        x_l1 = pl.load(src_x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_nd = pl.load(w_head, [e, 0, 0], [1, 32, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.reshape(w_nd, [32, 64])
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
