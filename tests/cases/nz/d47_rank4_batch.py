# case: d47_rank4_batch
# expect: ok
# arch: any
# entry: GroupExpert.kern
# blocked: w=[8, 4, 2, 16, 16]
# offsets: L24 w=[g * 4 + e, 0, 0, 0, 0]
# sizes: L24 w=[1, 4, 2, 16, 16]
# row: D47
import pypto.language as pl


@pl.program
class GroupExpert:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[2, 4, 32, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        for g in pl.range(2):
            for e in pl.range(4):
                p = pl.load(w, [g, e, 0, 0], [1, 1, 32, 64], target_memory=pl.Mem.Mat)
                b = pl.reshape(p, [32, 64])
                res = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], res)
        return res
