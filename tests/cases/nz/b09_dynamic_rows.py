# case: b09_dynamic_rows
# expect: reject dynamic-plane line=19
# arch: any
# entry: VocabDynamicRows.kern
# mentions: shape[-2]; static
# at: pl.NZ
# row: B09
import pypto.language as pl

R = pl.dynamic("R")


@pl.program
class VocabDynamicRows:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        query: pl.Tensor[[16, 64], pl.FP16],
        wt: pl.Tensor[[R, 64], pl.FP16, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(query, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(wt, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
