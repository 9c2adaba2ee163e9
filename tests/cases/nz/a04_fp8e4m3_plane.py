# case: a04_fp8e4m3_plane
# expect: ok
# arch: a5
# entry: GateFp8e4m3Plane.kern
# blocked: w_o=[1, 3, 4, 16, 32]
# strides: w_o=[6144, 2048, 512, 32, 1]
# offsets: L24 w_o=[0, 0, 0, 0, 0]
# sizes: L24 w_o=[1, 3, 4, 16, 32]
# tile: L24 w_l1=[64, 96]
# row: A04
import pypto.language as pl


@pl.program
class GateFp8e4m3Plane:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        feat: pl.Tensor[[16, 96], pl.FP8E4M3FN],
        w_o: pl.Tensor[[64, 96], pl.FP8E4M3FN, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        x_l1 = pl.load(feat, [0, 0], [16, 96], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_o, [0, 0], [64, 96], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
