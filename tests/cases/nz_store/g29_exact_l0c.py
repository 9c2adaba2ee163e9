# case: g29_exact_l0c
# expect: ok
# chunks: L22 y=[128]
# arch: a2a3
# entry: ExactL0c.kern
# row: G29
import pypto.language as pl


@pl.program
class ExactL0c:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[256, 64], pl.FP16],
        w: pl.Tensor[[128, 64], pl.FP16],
        y: pl.Out[pl.Tensor[[256, 128], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[256, 128], pl.FP32, pl.NZ]:
        x_l1 = pl.load(x, [0, 0], [256, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [128, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
