# case: c08_row_8
# expect: reject offset-align line=22
# related-line=18
# arch: any
# entry: UpRow8.kern
# mentions: shape[-2]; 16; 8
# at: 8
# row: C08
import pypto.language as pl


@pl.program
class UpRow8:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        src_x: pl.Tensor[[16, 512], pl.INT8],
        bank: pl.Tensor[[512, 1024], pl.INT8, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 256], pl.INT32]],
    ) -> pl.Tensor[[16, 256], pl.INT32]:
        x_l1 = pl.load(src_x, [0, 0], [16, 512], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(bank, [8, 0], [256, 512], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
