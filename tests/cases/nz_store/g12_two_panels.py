# case: g12_two_panels
# expect: reject batch-panel line=24
# related-line=19
# arch: a2a3
# entry: StoreTwoPanels.kern
# mentions: one panel; 2
# alt-kind: row-window
# row: G12
import pypto.language as pl


@pl.program
class StoreTwoPanels:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 64], pl.FP16],
        w: pl.Tensor[[16, 64], pl.FP16],
        y_nz: pl.Out[pl.Tensor[[2, 32, 16], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[2, 32, 16], pl.FP32, pl.NZ]:
        x_l1 = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y_nz = pl.store(acc, [0, 0, 0], y_nz, [2, 32, 16])
        return y_nz
