# case: c04_upper_half_cols
# expect: ok
# arch: any
# entry: RouterUpperHalfCols.kern
# blocked: w_exp=[1, 16, 8, 16, 16]
# offsets: L23 w_exp=[0, 8, 0, 0, 0]
# sizes: L23 w_exp=[1, 8, 8, 16, 16]
# tile: L23 w_l1=[128, 128]
# row: C04
import pypto.language as pl


@pl.program
class RouterUpperHalfCols:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 128], pl.FP16],
        w_exp: pl.Tensor[[128, 256], pl.FP16, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 128], pl.FP32]],
    ) -> pl.Tensor[[16, 128], pl.FP32]:
        x_l1 = pl.load(x, [0, 0], [16, 128], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_exp, [0, 128], [128, 128], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
