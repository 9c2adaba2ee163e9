# case: e20_valid_cols_32
# expect: ok
# arch: any
# entry: LatentValidCols32.kern
# offsets: L22 w=[0, 0, 0, 0, 0]
# sizes: L22 w=[1, 2, 4, 16, 16]
# tile: L22 w_l1=[64, 64]
# row: E20
import pypto.language as pl


@pl.program
class LatentValidCols32:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        src_x: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[64, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        x_l1 = pl.load(src_x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [64, 64], valid_shape=[64, 32], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
