# case: a15_int8_smallest
# expect: ok
# arch: any
# entry: VocabInt8Smallest.kern
# blocked: w_exp=[1, 1, 1, 16, 32]
# strides: w_exp=[512, 512, 512, 32, 1]
# offsets: L25 w_exp=[0, 0, 0, 0, 0]
# sizes: L25 w_exp=[1, 1, 1, 16, 32]
# tile: L25 w_l1=[16, 32]
# note: three equal strides: axes must not be merged because strides coincide
# row: A15
import pypto.language as pl


@pl.program
class VocabInt8Smallest:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 32], pl.INT8],
        w_exp: pl.Tensor[[16, 32], pl.INT8, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 16], pl.INT32]],
    ) -> pl.Tensor[[16, 16], pl.INT32]:
        x_l1 = pl.load(x, [0, 0], [16, 32], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_exp, [0, 0], [16, 32], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
