# case: b15_dynamic_batch_ok
# expect: ok
# arch: any
# entry: VocabDynamicBatchOk.kern
# blocked: wt=[D, 4, 2, 16, 16]
# row: B15
import pypto.language as pl

D = pl.dynamic("D")


@pl.program
class VocabDynamicBatchOk:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        query: pl.Tensor[[16, 64], pl.FP16],
        wt: pl.Tensor[[D, 32, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(query, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_nd = pl.load(wt, [0, 0, 0], [1, 32, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.reshape(w_nd, [32, 64])
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
