# case: b03_rows_15
# expect: reject rows-align line=17
# arch: any
# entry: ProjRows15.kern
# mentions: 16; 15
# at: pl.NZ
# row: B03
import pypto.language as pl


@pl.program
class ProjRows15:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        lhs: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[15, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 15], pl.FP32]],
    ) -> pl.Tensor[[16, 15], pl.FP32]:
        x_l1 = pl.load(lhs, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [15, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
