# case: c09_int8_col_16
# expect: reject offset-align line=22
# related-line=18
# arch: any
# entry: ExpertInt8Col16.kern
# mentions: shape[-1]; 32; 16
# at: 16
# row: C09
import pypto.language as pl


@pl.program
class ExpertInt8Col16:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 128], pl.INT8],
        w_up: pl.Tensor[[128, 256], pl.INT8, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 64], pl.INT32]],
    ) -> pl.Tensor[[16, 64], pl.INT32]:
        x_l1 = pl.load(act, [0, 0], [16, 128], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_up, [0, 16], [64, 128], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
