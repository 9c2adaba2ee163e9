# case: b07_fp32_cols_12
# expect: reject cols-align line=17
# arch: any
# entry: MixerFp32Cols12.kern
# mentions: 8; 12
# at: pl.NZ
# row: B07
import pypto.language as pl


@pl.program
class MixerFp32Cols12:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 12], pl.FP32],
        bank: pl.Tensor[[32, 12], pl.FP32, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(x, [0, 0], [16, 12], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(bank, [0, 0], [32, 12], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
