# case: g41_nd_is_free
# expect: ok
# arch: a2a3
# entry: NdIsFree.kern
# row: G41
import pypto.language as pl


@pl.program
class NdIsFree:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[2048, 64], pl.FP16],
        w: pl.Tensor[[256, 64], pl.FP16],
        y: pl.Out[pl.Tensor[[2048, 256], pl.FP32]],
    ) -> pl.Tensor[[2048, 256], pl.FP32]:
        x_l1 = pl.load(x, [0, 0], [2048, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [256, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
