# case: g31_twice_l0c
# expect: ok
# chunks: L22 y=[512, 512]
# arch: a2a3
# entry: TwiceL0c.kern
# row: G31
import pypto.language as pl


@pl.program
class TwiceL0c:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 64], pl.FP16],
        w: pl.Tensor[[1024, 64], pl.FP16],
        y: pl.Out[pl.Tensor[[64, 1024], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[64, 1024], pl.FP32, pl.NZ]:
        x_l1 = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [1024, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
