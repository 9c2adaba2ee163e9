# case: b05_int8_cols_176
# expect: reject cols-align line=17
# arch: any
# entry: RouterInt8Cols176.kern
# mentions: 32; 176; INT8
# at: pl.NZ
# row: B05
import pypto.language as pl


@pl.program
class RouterInt8Cols176:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        lhs: pl.Tensor[[16, 176], pl.INT8],
        wt: pl.Tensor[[64, 176], pl.INT8, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 64], pl.INT32]],
    ) -> pl.Tensor[[16, 64], pl.INT32]:
        x_l1 = pl.load(lhs, [0, 0], [16, 176], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(wt, [0, 0], [64, 176], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
