# case: b03_rows_31
# expect: reject rows-align line=17
# arch: any
# entry: MixerRows31.kern
# mentions: 16; 31
# at: pl.NZ
# row: B03
import pypto.language as pl


@pl.program
class MixerRows31:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 64], pl.FP16],
        wt: pl.Tensor[[31, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 31], pl.FP32]],
    ) -> pl.Tensor[[16, 31], pl.FP32]:
        x_l1 = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(wt, [0, 0], [31, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
