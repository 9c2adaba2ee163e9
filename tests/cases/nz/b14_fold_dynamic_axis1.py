# case: b14_fold_dynamic_axis1
# expect: reject fold-dynamic line=19
# arch: any
# entry: GateFoldDynamicAxis1.kern
# mentions: static; axis 1; fold
# at: pl.NZ
# row: B14
import pypto.language as pl

D = pl.dynamic("D")


@pl.program
class GateFoldDynamicAxis1:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        src_x: pl.Tensor[[16, 64], pl.FP16],
        w_o: pl.Tensor[[4, D, 32, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(src_x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_nd = pl.load(w_o, [0, 0, 0, 0], [1, 1, 32, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.reshape(w_nd, [32, 64])
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
