# case: g09_panel_of_three
# expect: ok
# arch: a2a3
# entry: StorePanelOfThree.kern
# blocked: y_nz=[3, 6, 2, 16, 8]
# strides: y_nz=[1536, 256, 128, 8, 1]
# offsets: L26 y_nz=[2, 4, 0, 0, 0]
# sizes: L26 y_nz=[1, 2, 2, 16, 8]
# tile: L26 acc=[32, 16]
# row: G09
import pypto.language as pl


@pl.program
class StorePanelOfThree:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[32, 64], pl.FP16],
        w: pl.Tensor[[16, 64], pl.FP16],
        y_nz: pl.Out[pl.Tensor[[3, 32, 48], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[3, 32, 48], pl.FP32, pl.NZ]:
        x_l1 = pl.load(x, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y_nz = pl.store(acc, [2, 0, 32], y_nz)
        return y_nz
