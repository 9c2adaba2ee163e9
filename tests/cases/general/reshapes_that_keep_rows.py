# case: reshapes_that_keep_rows
# expect: ok
# arch: any
# entry: Gate.kern
# rule: leading axes come and go, and in Vec any shape does
import pypto.language as pl


@pl.program
class Gate:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[2, 32, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
        v: pl.Tensor[[64, 64], pl.FP32],
        out: pl.Out[pl.Tensor[[2, 32, 32], pl.FP32]],
        flat: pl.Out[pl.Tensor[[32, 128], pl.FP32]],
    ):
        x_l1 = pl.load(x, [0, 0, 0], [2, 32, 64], target_memory=pl.Mem.Mat)
        rows = pl.reshape(x_l1, [64, 64])
        w_l1 = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(rows, pl.tile.transpose_view(w_l1))
        out = pl.store(pl.reshape(acc, [2, 32, 32]), [0, 0, 0], out)
        part = pl.reshape(pl.load(v, [0, 0], [64, 64]), [32, 128])
        flat = pl.store(part, [0, 0], flat)
        return out, flat
