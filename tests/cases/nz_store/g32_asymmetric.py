# case: g32_asymmetric
# expect: ok
# chunks: L22 y=[128, 128, 128, 128, 128]
# arch: a2a3
# entry: Asymmetric.kern
# row: G32
import pypto.language as pl


@pl.program
class Asymmetric:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[96, 64], pl.FP16],
        w: pl.Tensor[[640, 64], pl.FP16],
        y: pl.Out[pl.Tensor[[96, 640], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[96, 640], pl.FP32, pl.NZ]:
        x_l1 = pl.load(x, [0, 0], [96, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [640, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
