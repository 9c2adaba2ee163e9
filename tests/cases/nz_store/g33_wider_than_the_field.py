# case: g33_wider_than_the_field
# expect: ok
# chunks: L22 y=[1024, 1024, 1024, 1024]
# arch: a2a3
# entry: WiderThanTheField.kern
# row: G33
import pypto.language as pl


@pl.program
class WiderThanTheField:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 32], pl.FP16],
        w: pl.Tensor[[4096, 32], pl.FP16],
        y: pl.Out[pl.Tensor[[16, 4096], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[16, 4096], pl.FP32, pl.NZ]:
        x_l1 = pl.load(x, [0, 0], [16, 32], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [4096, 32], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
