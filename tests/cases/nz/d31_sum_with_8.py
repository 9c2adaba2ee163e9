# case: d31_sum_with_8
# expect: reject offset-align line=26
# related-line=19
# def-line=24
# arch: any
# entry: LatentSumWith8.kern
# mentions: shape[-1]; 16; 8
# at: c
# row: D31
import pypto.language as pl


@pl.program
class LatentSumWith8:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        lhs: pl.Tensor[[16, 64], pl.FP16],
        w_head: pl.Tensor[[64, 512], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        lane = pl.tile.get_block_idx()
        base = lane * 256
        c = base + 8
        x_l1 = pl.load(lhs, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_head, [0, c], [64, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
