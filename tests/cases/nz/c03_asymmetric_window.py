# case: c03_asymmetric_window
# expect: ok
# arch: any
# entry: ExpertAsymmetricWindow.kern
# blocked: wt=[1, 12, 13, 16, 32]
# offsets: L24 wt=[0, 3, 4, 0, 0]
# sizes: L24 wt=[1, 4, 3, 16, 32]
# tile: L24 w_l1=[48, 128]
# note: the column block comes first: a swap of rows and columns is visible
# row: C03
import pypto.language as pl


@pl.program
class ExpertAsymmetricWindow:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 128], pl.INT8],
        wt: pl.Tensor[[208, 384], pl.INT8, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 48], pl.INT32]],
    ) -> pl.Tensor[[16, 48], pl.INT32]:
        x_l1 = pl.load(x, [0, 0], [16, 128], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(wt, [64, 96], [48, 128], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
