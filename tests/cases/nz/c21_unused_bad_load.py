# case: c21_unused_bad_load
# expect: any offset-align line=21
# related-line=17
# arch: any
# entry: UnusedUnusedBadLoad.kern
# note: a load nobody reads may be dropped before it is judged
# row: C21
import pypto.language as pl


@pl.program
class UnusedUnusedBadLoad:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        idle = pl.load(w, [24, 0], [32, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [64, 0], [32, 64], target_memory=pl.Mem.Mat)
        res = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], res)
        return res
