# case: c03_fp32_both_axes
# expect: ok
# arch: any
# offsets: L20 w=[0, 3, 5, 0, 0]
# sizes: L20 w=[1, 2, 1, 16, 8]
# row: C03
import pypto.language as pl


@pl.program
class Case:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 16], pl.FP32],
        w: pl.Tensor[[96, 40], pl.FP32, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 16], pl.FP32]],
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        a = pl.load(x, [0, 0], [16, 16], target_memory=pl.Mem.Mat)
        b = pl.load(w, [80, 24], [16, 16], target_memory=pl.Mem.Mat)
        out = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], out)
        return out
