# case: f29_logical_dim
# expect: ok
# arch: any
# entry: LogicalDim.kern
# blocked: w=[B, 4, 2, 16, 16]
# offsets: L27 w=[e, 0, 0, 0, 0]
# may-warn: not-supported-yet
# note: the logical extent B, never a blocked one
# row: F29
import pypto.language as pl

B = pl.dynamic("B")


@pl.program
class LogicalDim:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[B, 32, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        n = pl.tensor.dim(w, 0)
        for e in pl.range(n):
            p = pl.load(w, [e, 0, 0], [1, 32, 64], target_memory=pl.Mem.Mat)
            b = pl.reshape(p, [32, 64])
            res = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], res)
        return res
