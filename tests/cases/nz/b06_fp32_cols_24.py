# case: b06_fp32_cols_24
# expect: ok
# arch: any
# entry: ProjFp32Cols24.kern
# blocked: w_exp=[1, 3, 2, 16, 8]
# strides: w_exp=[768, 256, 128, 8, 1]
# offsets: L24 w_exp=[0, 0, 0, 0, 0]
# sizes: L24 w_exp=[1, 3, 2, 16, 8]
# tile: L24 w_l1=[32, 24]
# row: B06
import pypto.language as pl


@pl.program
class ProjFp32Cols24:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        lhs: pl.Tensor[[16, 24], pl.FP32],
        w_exp: pl.Tensor[[32, 24], pl.FP32, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(lhs, [0, 0], [16, 24], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_exp, [0, 0], [32, 24], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
