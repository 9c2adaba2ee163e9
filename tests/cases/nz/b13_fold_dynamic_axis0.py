# case: b13_fold_dynamic_axis0
# expect: reject fold-dynamic line=19
# arch: any
# entry: MixerFoldDynamicAxis0.kern
# mentions: static; axis 0; fold
# at: pl.NZ
# row: B13
import pypto.language as pl

D = pl.dynamic("D")


@pl.program
class MixerFoldDynamicAxis0:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        bank: pl.Tensor[[D, 4, 32, 64], pl.FP16, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_nd = pl.load(bank, [0, 0, 0, 0], [1, 1, 32, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.reshape(w_nd, [32, 64])
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
