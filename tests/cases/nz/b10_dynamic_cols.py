# case: b10_dynamic_cols
# expect: reject dynamic-plane line=19
# arch: any
# entry: VocabDynamicCols.kern
# mentions: shape[-1]; static
# at: pl.NZ
# row: B10
import pypto.language as pl

C = pl.dynamic("C")


@pl.program
class VocabDynamicCols:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        bank: pl.Tensor[[32, C], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(bank, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
