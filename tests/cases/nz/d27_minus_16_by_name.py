# case: d27_minus_16_by_name
# expect: reject offset-sign line=26
# related-line=21
# def-line=24
# arch: any
# entry: RouterMinus16ByName.kern
# mentions: -16
# at: n0
# alt-kind: negative-offset, bounds
# note: refused like the inline literal
# row: D27
import pypto.language as pl


@pl.program
class RouterMinus16ByName:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        tok: pl.Tensor[[16, 64], pl.FP16],
        w_exp: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        n0 = -16
        x_l1 = pl.load(tok, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_exp, [n0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
