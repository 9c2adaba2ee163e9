# case: b03_rows_32
# expect: ok
# arch: any
# entry: MixerRows32.kern
# blocked: w=[1, 4, 2, 16, 16]
# strides: w=[2048, 512, 256, 16, 1]
# offsets: L24 w=[0, 0, 0, 0, 0]
# sizes: L24 w=[1, 4, 2, 16, 16]
# tile: L24 w_l1=[32, 64]
# row: B03
import pypto.language as pl


@pl.program
class MixerRows32:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        query: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(query, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
