# case: c01_expert_window
# expect: ok
# arch: a2a3
# entry: VocabExpertWindow.kern
# offsets: L22 w_o=[1, 16, 16, 0, 0]
# sizes: L22 w_o=[1, 16, 16, 16, 32]
# tile: L22 w_nd=[256, 512]
# row: C01
import pypto.language as pl


@pl.program
class VocabExpertWindow:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        hid: pl.Tensor[[16, 512], pl.INT8],
        w_o: pl.Tensor[[4, 512, 1024], pl.INT8, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 256], pl.INT32]],
    ) -> pl.Tensor[[16, 256], pl.INT32]:
        x_l1 = pl.load(hid, [0, 0], [16, 512], target_memory=pl.Mem.Mat)
        w_nd = pl.tile.load(w_o, [1, 256, 512], [1, 256, 512], target_memory=pl.Mem.Mat)
        w_l1 = pl.reshape(w_nd, [256, 512])
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
