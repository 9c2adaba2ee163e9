# case: c24_two_panels_tile
# expect: ok
# arch: any
# entry: BothPanels.kern
# offsets: L22 w=[0, 0, 0, 0, 0]
# offsets: L22 w=[1, 0, 0, 0, 0]
# sizes: L22 w=[1, 4, 2, 16, 16]
# row: C24
import pypto.language as pl


@pl.program
class BothPanels:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        tok: pl.Tensor[[2, 16, 64], pl.FP16],
        w: pl.Tensor[[4, 32, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[2, 16, 32], pl.FP32]],
    ) -> pl.Tensor[[2, 16, 32], pl.FP32]:
        a = pl.load(tok, [0, 0, 0], [2, 16, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0, 0], [2, 32, 64], target_memory=pl.Mem.Mat)
        acc = pl.batch_matmul(a, pl.tile.transpose_view(b))
        res = pl.store(acc, [0, 0, 0], res)
        return res
