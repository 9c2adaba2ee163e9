# case: b15_unit_axis_before_dynamic
# expect: reject fold-dynamic line=20
# arch: any
# entry: GateUnitAxisBeforeDynamic.kern
# mentions: static; axis 1; fold
# at: pl.NZ
# note: unit axes get no special case
# row: B15
import pypto.language as pl

D = pl.dynamic("D")


@pl.program
class GateUnitAxisBeforeDynamic:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        lhs: pl.Tensor[[16, 64], pl.FP16],
        w_up: pl.Tensor[[1, D, 32, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(lhs, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_nd = pl.load(w_up, [0, 0, 0, 0], [1, 1, 32, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.reshape(w_nd, [32, 64])
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
