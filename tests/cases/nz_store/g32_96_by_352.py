# case: g32_96_by_352
# expect: ok
# arch: a2a3
# chunks: L21 y=[128, 128, 96]
# row: G32
import pypto.language as pl


@pl.program
class Case:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[96, 128], pl.BF16],
        w: pl.Tensor[[352, 128], pl.BF16],
        y: pl.Out[pl.Tensor[[96, 352], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[96, 352], pl.FP32, pl.NZ]:
        a = pl.load(x, [0, 0], [96, 128], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [352, 128], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        y = pl.store(acc, [0, 0], y)
        return y
