# case: a09_fp16_plane
# expect: ok
# arch: a2a3
# entry: RouterFp16Plane.kern
# blocked: w_head=[1, 32, 16, 16, 16]
# strides: w_head=[131072, 4096, 256, 16, 1]
# offsets: L24 w_head=[0, 0, 0, 0, 0]
# sizes: L24 w_head=[1, 32, 16, 16, 16]
# tile: L24 w_l1=[256, 512]
# row: A09
import pypto.language as pl


@pl.program
class RouterFp16Plane:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        tok: pl.Tensor[[16, 512], pl.FP16],
        w_head: pl.Tensor[[256, 512], pl.FP16, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 256], pl.FP32]],
    ) -> pl.Tensor[[16, 256], pl.FP32]:
        x_l1 = pl.load(tok, [0, 0], [16, 512], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_head, [0, 0], [256, 512], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
