# case: g37_528_rows_of_fp32
# expect: reject l0c line=20
# arch: a2a3
# row: G37
import pypto.language as pl


@pl.program
class Case:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[528, 16], pl.FP32],
        w: pl.Tensor[[64, 16], pl.FP32],
        y: pl.Out[pl.Tensor[[528, 64], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[528, 64], pl.FP32, pl.NZ]:
        a = pl.load(x, [0, 0], [528, 16], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [64, 16], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        y = pl.store(acc, [0, 0], y)
        return y
