# case: d43_unroll
# expect: ok
# arch: any
# entry: Unrolled.kern
# offsets: L22 w=[0, 0, 0, 0, 0]
# offsets: L22 w=[0, 0, 2, 0, 0]
# row: D43
import pypto.language as pl


@pl.program
class Unrolled:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[64, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        for r in pl.unroll(0, 64, 32):
            b = pl.load(w, [r, 0], [32, 64], target_memory=pl.Mem.Mat)
            res = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, r], res)
        return res
