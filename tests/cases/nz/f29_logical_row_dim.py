# case: f29_logical_row_dim
# expect: ok
# arch: any
# entry: LogicalRowDim.kern
# offsets: L23 w=[0, 0, floordiv(r, 16), 0, 0]
# may-warn: not-supported-yet
# row: F29
import pypto.language as pl


@pl.program
class LogicalRowDim:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        n = pl.tensor.dim(w, 0)
        for r in pl.range(0, n, 32):
            b = pl.load(w, [r, 0], [32, 64], target_memory=pl.Mem.Mat)
            res = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], res)
        return res
