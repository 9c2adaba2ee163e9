# case: a23_nd_rank5_lookalike
# expect: ok
# arch: any
# entry: PlainFive.kern
# untouched: w_five=[1, 16, 16, 16, 32]
# blocked: w_nz=[1, 4, 2, 16, 16]
# note: ND is never taken for NZ by its structure
# row: A23
import pypto.language as pl


@pl.program
class PlainFive:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w_five: pl.Tensor[[1, 16, 16, 16, 32], pl.INT8],
        w_nz: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w_nz, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        res = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], res)
        return res
