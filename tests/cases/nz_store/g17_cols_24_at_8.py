# case: g17_cols_24_at_8
# expect: reject store-shape line=20
# arch: a2a3
# row: G17
import pypto.language as pl


@pl.program
class Case:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[32, 16], pl.FP16],
        w: pl.Tensor[[24, 16], pl.FP16],
        y: pl.Out[pl.Tensor[[32, 40], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[32, 40], pl.FP32, pl.NZ]:
        a = pl.load(x, [0, 0], [32, 16], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [24, 16], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        y = pl.store(acc, [0, 8], y)
        return y
