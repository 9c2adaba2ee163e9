# case: c10_row_and_col
# expect: reject offset-align line=23
# related-line=19
# arch: any
# entry: RouterRowAndCol.kern
# mentions: shape[-2]; 16; 8
# at: 8
# note: the row axis comes first, one diagnostic for the access
# row: C10
import pypto.language as pl


@pl.program
class RouterRowAndCol:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        tok: pl.Tensor[[16, 128], pl.INT8],
        w_kv: pl.Tensor[[128, 256], pl.INT8, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 64], pl.INT32]],
    ) -> pl.Tensor[[16, 64], pl.INT32]:
        x_l1 = pl.load(tok, [0, 0], [16, 128], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_kv, [8, 16], [64, 128], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
