# case: p09_same_text_other_dialect
# expect: reject rows-align line=18
# arch: any
# entry: RouterSameText.kern
# mentions: 16; 30
# at: pl.NZ
# note: pypto_pro.language would accept this shape
# row: P09
import pypto.language as pl


@pl.program
class RouterSameText:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        tok: pl.Tensor[[16, 50], pl.FP16],
        w_up: pl.Tensor[[30, 50], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 30], pl.FP32]],
    ) -> pl.Tensor[[16, 30], pl.FP32]:
        x_l1 = pl.load(tok, [0, 0], [16, 50], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_up, [0, 0], [30, 50], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
