# case: c11_col_minus_32
# expect: reject offset-sign line=23
# related-line=19
# arch: any
# entry: ExpertColMinus32.kern
# mentions: -32
# at: -32
# alt-kind: negative-offset, bounds
# row: C11
import pypto.language as pl


@pl.program
class ExpertColMinus32:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        query: pl.Tensor[[16, 128], pl.INT8],
        w_up: pl.Tensor[[128, 256], pl.INT8, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 64], pl.INT32]],
    ) -> pl.Tensor[[16, 64], pl.INT32]:
        x_l1 = pl.load(query, [0, 0], [16, 128], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_up, [0, -32], [64, 128], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
