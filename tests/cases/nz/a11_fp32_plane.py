# case: a11_fp32_plane
# expect: ok
# arch: any
# entry: GateFp32Plane.kern
# blocked: w_exp=[1, 8, 8, 16, 8]
# strides: w_exp=[8192, 1024, 128, 8, 1]
# offsets: L24 w_exp=[0, 0, 0, 0, 0]
# sizes: L24 w_exp=[1, 8, 8, 16, 8]
# tile: L24 w_l1=[128, 64]
# row: A11
import pypto.language as pl


@pl.program
class GateFp32Plane:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        src_x: pl.Tensor[[16, 64], pl.FP32],
        w_exp: pl.Tensor[[128, 64], pl.FP32, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 128], pl.FP32]],
    ) -> pl.Tensor[[16, 128], pl.FP32]:
        x_l1 = pl.load(src_x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_exp, [0, 0], [128, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
