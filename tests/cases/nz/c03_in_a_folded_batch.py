# case: c03_in_a_folded_batch
# expect: ok
# arch: any
# offsets: L19 w=[3, 3, 1, 0, 0]
# row: C03
import pypto.language as pl


@pl.program
class Case:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 16], pl.FP16],
        w: pl.Tensor[[2, 3, 32, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 16], pl.FP32]],
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        a = pl.load(x, [0, 0], [16, 16], target_memory=pl.Mem.Mat)
        b = pl.load(w, [1, 0, 16, 48], [1, 1, 16, 16], target_memory=pl.Mem.Mat)
        b2 = pl.reshape(b, [16, 16])
        out = pl.store(pl.matmul(a, pl.tile.transpose_view(b2)), [0, 0], out)
        return out
