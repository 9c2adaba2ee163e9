# case: b06_fp16_cols_24
# expect: reject cols-align line=17
# arch: any
# entry: MixerFp16Cols24.kern
# mentions: 16; 24
# at: pl.NZ
# row: B06
import pypto.language as pl


@pl.program
class MixerFp16Cols24:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        query: pl.Tensor[[16, 24], pl.FP16],
        bank: pl.Tensor[[32, 24], pl.FP16, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(query, [0, 0], [16, 24], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(bank, [0, 0], [32, 24], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
