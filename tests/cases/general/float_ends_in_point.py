# case: float_ends_in_point
# expect: ok
# arch: any
# entry: FloatEndsInPoint.kern
# kernels: 1
# rule: `1.` is a number
import pypto.language as pl

SCALE = 1.


@pl.program
class FloatEndsInPoint:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        res = pl.store(acc, [0, 0], res)
        return res
