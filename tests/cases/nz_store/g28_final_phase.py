# case: g28_final_phase
# expect: ok
# chunks: L22 y=[16]
# arch: a2a3
# entry: FinalPhase.kern
# row: G28
import pypto.language as pl


@pl.program
class FinalPhase:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 64], pl.FP16],
        w: pl.Tensor[[16, 64], pl.FP16],
        y: pl.Out[pl.Tensor[[64, 16], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[64, 16], pl.FP32, pl.NZ]:
        x_l1 = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y, st_phase=pl.STPhase.Final)
        return y
