# case: c11_row_minus_16
# expect: reject offset-sign line=23
# related-line=19
# arch: any
# entry: DownRowMinus16.kern
# mentions: -16
# at: -16
# alt-kind: negative-offset, bounds
# row: C11
import pypto.language as pl


@pl.program
class DownRowMinus16:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        tok: pl.Tensor[[16, 128], pl.INT8],
        w_gate: pl.Tensor[[128, 256], pl.INT8, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 64], pl.INT32]],
    ) -> pl.Tensor[[16, 64], pl.INT32]:
        x_l1 = pl.load(tok, [0, 0], [16, 128], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_gate, [-16, 0], [64, 128], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
