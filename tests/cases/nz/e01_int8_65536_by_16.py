# case: e01_int8_65536_by_16
# expect: ok
# arch: any
# entry: HeadInt865536By16.kern
# offsets: L23 w_exp=[0, 0, 0, 0, 0]
# sizes: L23 w_exp=[1, 16, 1, 16, 32]
# tile: L23 w_l1=[16, 512]
# gap: L23 w_exp=65520
# row: E01
import pypto.language as pl


@pl.program
class HeadInt865536By16:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 512], pl.INT8],
        w_exp: pl.Tensor[[65536, 512], pl.INT8, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 16], pl.INT32]],
    ) -> pl.Tensor[[16, 16], pl.INT32]:
        x_l1 = pl.load(act, [0, 0], [16, 512], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_exp, [0, 0], [16, 512], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
