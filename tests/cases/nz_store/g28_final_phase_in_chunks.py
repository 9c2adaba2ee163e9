# case: g28_final_phase_in_chunks
# expect: ok
# chunks: L22 y=[512, 512]
# arch: a2a3
# entry: FinalPhaseInChunks.kern
# row: G28
import pypto.language as pl


@pl.program
class FinalPhaseInChunks:
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
        y = pl.store(acc, [0, 0], y, st_phase=pl.STPhase.Final)
        return y
