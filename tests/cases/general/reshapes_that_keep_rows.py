# case: reshapes_that_keep_rows
# expect: ok
# arch: any
# entry: Gate.kern
# rule: leading axes of a tile come and go, also in fractals
import pypto.language as pl


@pl.program
class Gate:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[2, 32, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[2, 32, 32], pl.FP32]],
    ):
        x_l1 = pl.load(x, [0, 0, 0], [2, 32, 64], target_memory=pl.Mem.Mat)
        rows = pl.reshape(x_l1, [64, 64])
        w_l1 = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(rows, pl.tile.transpose_view(w_l1))
        out = pl.store(pl.reshape(acc, [2, 32, 32]), [0, 0, 0], out)
        return out
