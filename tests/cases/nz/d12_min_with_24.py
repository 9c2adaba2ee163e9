# case: d12_min_with_24
# expect: reject offset-align line=25
# related-line=19
# def-line=23
# arch: any
# entry: LatentMinWith24.kern
# mentions: shape[-2]; 16; 24
# at: r0
# row: D12
import pypto.language as pl


@pl.program
class LatentMinWith24:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        feat: pl.Tensor[[16, 64], pl.FP16],
        bank: pl.Tensor[[64, 64], pl.FP16, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        lane = pl.tile.get_block_idx()
        r0 = pl.min(lane * 16, 24)
        x_l1 = pl.load(feat, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(bank, [r0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
