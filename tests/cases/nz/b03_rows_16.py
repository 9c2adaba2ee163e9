# case: b03_rows_16
# expect: ok
# arch: any
# entry: RouterRows16.kern
# blocked: w_o=[1, 4, 1, 16, 16]
# strides: w_o=[1024, 256, 256, 16, 1]
# offsets: L24 w_o=[0, 0, 0, 0, 0]
# sizes: L24 w_o=[1, 4, 1, 16, 16]
# tile: L24 w_l1=[16, 64]
# row: B03
import pypto.language as pl


@pl.program
class RouterRows16:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        src_x: pl.Tensor[[16, 64], pl.FP16],
        w_o: pl.Tensor[[16, 64], pl.FP16, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 16], pl.FP32]],
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        x_l1 = pl.load(src_x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_o, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
