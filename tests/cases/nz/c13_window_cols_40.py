# case: c13_window_cols_40
# expect: reject cols-align line=22
# related-line=18
# arch: any
# entry: GateWindowCols40.kern
# mentions: 16; 40
# at: 40
# row: C13
import pypto.language as pl


@pl.program
class GateWindowCols40:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 40], pl.FP16],
        w_head: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(act, [0, 0], [16, 40], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_head, [0, 0], [32, 40], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
