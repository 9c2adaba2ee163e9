# case: c22_zero_trip_loop
# expect: any offset-align line=22
# related-line=17
# arch: any
# entry: ZeroTrip.kern
# note: a loop that never runs may be folded away before its body is judged
# row: C22
import pypto.language as pl


@pl.program
class ZeroTrip:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        for i in pl.range(4, 4):
            b = pl.load(w, [8, 0], [32, 64], target_memory=pl.Mem.Mat)
            res = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], res)
        return res
